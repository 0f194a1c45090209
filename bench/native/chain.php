<?php
// Native contender: PHP's own sha1().
// Prints "ready", then answers each line "ROUNDS VALUE…" with "NANOSECONDS DIGEST…".
function chain(string $value, int $rounds): string {
    for ($round = 0; $round < $rounds; $round++) $value = sha1('service-' . $value);
    return $value;
}
echo "ready\n";
while (($line = fgets(STDIN)) !== false) {
    $values = explode(' ', trim($line));
    $rounds = (int) array_shift($values);
    $start = hrtime(true);
    $digests = [];
    foreach ($values as $value) $digests[] = chain($value, $rounds);
    $nanoseconds = hrtime(true) - $start;
    echo $nanoseconds, ' ', implode(' ', $digests), "\n";
}
