<?php
// How shops called the service ten years ago: curl with an array of fields, explode and sscanf.
// HASH_PREFIX is the prefix with which the service's clients hash; default: service-.
// php client.php specification|classic BASE_URL report|query|delete|show ...

function redflag_hash($value) {
    $prefix = getenv('HASH_PREFIX') ?: 'service-';
    $value = strtolower(str_replace(' ', '', trim($value)));
    for ($i = 0; $i < 32000; $i++) $value = sha1($prefix . $value);
    return $value;
}

function redflag_post($base, $fields, &$headers) {
    $headers = array();
    $ch = curl_init($base . '/api/');
    curl_setopt($ch, CURLOPT_POST, true);
    curl_setopt($ch, CURLOPT_POSTFIELDS, $fields); // An array is sent as multipart/form-data, a string urlencoded.
    curl_setopt($ch, CURLOPT_RETURNTRANSFER, true);
    curl_setopt($ch, CURLOPT_HEADERFUNCTION, function ($ch, $line) use (&$headers) {
        $parts = explode(':', $line, 2);
        if (count($parts) == 2) $headers[strtolower($parts[0])] = trim($parts[1]);
        return strlen($line);
    });
    return curl_exec($ch);
}

list(, $dialect, $base, $command) = $argv;
$args = array_slice($argv, 4);
$headers = array();

switch ($command) {
    case 'hash':
        echo redflag_hash($args[0]);
        break;
    case 'report':
        list($key, $text, $email) = $args;
        $body = redflag_post($base, array('_api' => $key, '_action' => 'report', '_type' => 'fraud', '_value' => 7,
            '_text' => $text, 'email' => redflag_hash($email)), $headers);
        if ($dialect == 'classic' && sscanf($body, 'OK:%16s', $code) == 1) echo $code;
        elseif ($dialect != 'classic' && $body == 'OK') echo $headers['x-deletion-code'];
        else echo $body;
        break;
    case 'query':
        list($key, $email) = $args;
        $body = redflag_post($base, http_build_query(array('_api' => $key, '_action' => 'query',
            'email' => redflag_hash($email))), $headers);
        if ($dialect == 'classic') {
            $found = sscanf($body, '<report>%d-%d-%f-%16s</report>', $points, $reported, $reliability, $code);
            if ($found == 4) printf('%d %d %.1f %s', $points, $reported, $reliability, $code);
            else echo $body;
        } else {
            $parts = explode('-', $body);
            if (count($parts) == 4) printf('%s %s %s %s', $parts[0], $parts[1], $parts[2], basename($parts[3]));
            else echo $body;
        }
        break;
    case 'delete':
        list($key, $code) = $args;
        echo redflag_post($base, array('_api' => $key, '_action' => 'delete', '_code' => $code), $headers);
        break;
    case 'show':
        $json = @file_get_contents($base . '/api/?showreport=' . $args[0]);
        if ($json === false) exit('nothing');
        foreach (json_decode($json, true)['ReportAdvanceds'] as $report) echo $report['type'], ' ', $report['description'];
        break;
}
