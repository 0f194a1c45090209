import { describe, expect, it } from 'vitest';
import { findPersonalData } from '../../src/core/domain/personal-data.ts';
import { redact } from '../../src/service/cli/client/redact.ts';

/** Lines as sshd, Postfix, Dovecot, nginx, Apache, Asterisk, fail2ban, WordPress, cPanel, csf and Exim write them. */
const LINES: readonly string[] = [
  String.raw`Nov 29 02:11:04 web1 sshd[4121]: Failed password for invalid user oracle from 203.0.113.7 port 45264 ssh2`,
  String.raw`Nov 29 02:11:04 web1 sshd[4121]: Invalid user carl.smith from 203.0.113.7 port 45264`,
  String.raw`Nov 29 02:11:04 web1 sshd[4121]: Connection closed by authenticating user root 203.0.113.7 port 45264 [preauth]`,
  String.raw`Nov 29 02:11:05 web1 sshd[4121]: Received disconnect from 2001:db8:4::17 port 51622:11: Bye Bye [preauth]`,
  String.raw`Nov 29 02:11:05 web1 sshd[4121]: reverse mapping checking getaddrinfo for host-203-0-113-7.isp.example [203.0.113.7] failed - POSSIBLE BREAK-IN ATTEMPT!`,
  String.raw`Nov 29 02:11:05 web1 sshd[4121]: Unable to negotiate with 203.0.113.7 port 60922: no matching key exchange method found`,
  String.raw`Nov 29 02:12:00 mail postfix/smtpd[991]: NOQUEUE: reject: RCPT from unknown[203.0.113.7]: 554 5.7.1 <dora@example.com>: Relay access denied; from=<spam@evil.example> to=<dora@example.com> proto=ESMTP helo=<evil.example>`,
  String.raw`Nov 29 02:12:00 mail postfix/smtpd[991]: warning: unknown[203.0.113.7]: SASL LOGIN authentication failed: UGFzc3dvcmQ6`,
  String.raw`Nov 29 02:12:00 mail postfix/smtpd[991]: warning: unknown[203.0.113.7]: SASL LOGIN authentication failed: (reason unavailable), sasl_username=dora@example.com`,
  String.raw`Nov 29 02:12:01 mail postfix/smtpd[991]: lost connection after AUTH from dsl-203-0-113-7.pool.example.net[203.0.113.7]`,
  String.raw`Nov 29 02:12:01 mail postfix/smtp[991]: 4F1C21A0: to=<carl@example.org>, relay=mx.example.org[198.51.100.9]:25, delay=1.2, dsn=5.1.1, status=bounced (host mx.example.org[198.51.100.9] said: 550 5.1.1 <carl@example.org>: Recipient address rejected)`,
  String.raw`Nov 29 02:12:03 mail postfix/cleanup[12]: 4F1C21A0: message-id=<20261129021203.4F1C21A0@mail.example.com>`,
  String.raw`Nov 29 02:13:00 mail dovecot: imap-login: Disconnected (auth failed, 3 attempts in 14 secs): user=<dora@example.com>, method=PLAIN, rip=203.0.113.7, lip=198.51.100.2, TLS, session=<AbCdEf1234567890>`,
  String.raw`Nov 29 02:13:00 mail dovecot: auth-worker(123): sql(dora@example.com,203.0.113.7,<Ab/Cd+Ef>): unknown user`,
  String.raw`Nov 29 02:13:00 mail dovecot: pop3-login: Aborted login (auth failed, 1 attempts in 2 secs): user=<info>, method=PLAIN, rip=::ffff:203.0.113.7, lip=::ffff:198.51.100.2`,
  String.raw`203.0.113.7 - - [29/Nov/2026:02:14:00 +0000] "GET /wp-login.php HTTP/1.1" 404 548 "-" "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36"`,
  String.raw`203.0.113.7 - dora [29/Nov/2026:02:14:00 +0000] "POST /xmlrpc.php HTTP/1.0" 200 370 "https://shop.example/" "curl/8.4.0"`,
  String.raw`203.0.113.7 - - [29/Nov/2026:02:14:00 +0000] "GET /account?email=dora%40example.com&token=abc HTTP/1.1" 200 12`,
  String.raw`2026/11/29 02:14:01 [error] 31#31: *812 access forbidden by rule, client: 203.0.113.7, server: shop.example, request: "GET /.env HTTP/1.1", host: "shop.example", referrer: "http://198.51.100.2/"`,
  String.raw`2026/11/29 02:14:01 [error] 31#31: *812 limiting requests, excess: 20.530 by zone "login", client: 2001:db8:4::17, server: _, request: "POST /login HTTP/2.0"`,
  String.raw`[Sun Nov 29 02:15:00.123456 2026] [auth_basic:error] [pid 991:tid 140234567890] [client 203.0.113.7:51234] AH01618: user admin not found: /admin`,
  String.raw`[Sun Nov 29 02:15:00.123456 2026] [authz_core:error] [pid 991] [client 203.0.113.7:51234] AH01630: client denied by server configuration: /var/www/html/.git`,
  String.raw`[Sun Nov 29 02:15:00.1 2026] [security2:error] [client 203.0.113.7] ModSecurity: Access denied with code 403 (phase 2). [id "942100"] [msg "SQL Injection Attack Detected"] [hostname "shop.example"] [uri "/search"] [unique_id "ZWeY3H8AAQEAAB7x2ksAAAAA"]`,
  String.raw`[2026-11-29 02:16:00] NOTICE[1234] chan_sip.c: Registration from '"100" <sip:100@198.51.100.2>' failed for '203.0.113.7:5071' - Wrong password`,
  String.raw`[2026-11-29 02:16:00] NOTICE[1234][C-0000001a] chan_sip.c: Call from '' (203.0.113.7:5071) to extension '00442079460123' rejected because extension not found in context 'default'.`,
  String.raw`[2026-11-29 02:16:00] SECURITY[1234] res_security_log.c: SecurityEvent="InvalidPassword",EventTV="2026-11-29T02:16:00.123+0000",Severity="Error",Service="PJSIP",AccountID="1000",SessionID="a1b2",LocalAddress="IPV4/UDP/198.51.100.2/5060",RemoteAddress="IPV4/UDP/203.0.113.7/5071"`,
  String.raw`2026-11-29 02:17:00,123 fail2ban.actions [712]: NOTICE [sshd] Ban 203.0.113.7`,
  String.raw`2026-11-29 02:17:00,123 fail2ban.filter [712]: INFO [postfix-sasl] Found 2001:db8:4:0:0:0:0:17 - 2026-11-29 02:16:59`,
  String.raw`2026-11-29 02:17:00,123 fail2ban.actions [712]: NOTICE [recidive] Restore Ban 203.0.113.0/24`,
  String.raw`[29-Nov-2026 02:18:00 UTC] WordPress: Authentication failure for dora@example.com from 203.0.113.7`,
  String.raw`wordpress(shop.example)[123]: Authentication attempt for unknown user carl from 203.0.113.7`,
  String.raw`WordPress comment spam: author "Jane Doe" email jane@evil.example url http://evil.example/?p=1 ip 203.0.113.7 "call +1 555 010 0199"`,
  String.raw`wordpress(shop.example)[123]: XML-RPC multicall authentication failure 203.0.113.7`,
  String.raw`[2026-11-29 02:19:00 +0000] info [cpaneld] 203.0.113.7 - dora "POST /login/?login_only=1 HTTP/1.1" FAILED LOGIN cpaneld: invalid cpanel user dora (loadcpuserfile failed)`,
  String.raw`(cpanel) Failed cPanel login from 203.0.113.7 (US/United States/203-0-113-7.isp.example): 5 in the last 3600 secs`,
  String.raw`lfd[991]: (smtpauth) Failed SMTP AUTH login from 203.0.113.7 (DE/Germany/ip203-0-113-7.pool.example): 5 in the last 3600 secs - *Blocked in csf*`,
  String.raw`2026-11-29 02:20:00 dovecot_login authenticator failed for (User) [203.0.113.7]:51234 I=[198.51.100.2]:587: 535 Incorrect authentication data (set_id=dora@example.com)`,
  String.raw`2026-11-29 02:20:00 1rABCD-0001xy-2Z H=(ylmf-pc) [203.0.113.7]:51234 F=<spam@evil.example> rejected RCPT <dora@example.com>: relay not permitted`,
  String.raw`2026-11-29 02:20:00 H=7.113.0.203.in-addr.arpa [203.0.113.7] sender verify fail for <x@y.example>: all relevant MX records point to non-existent hosts`,
  String.raw`{"ts":"2026-11-29T02:21:00Z","remote_ip":"203.0.113.7","user":"dora@example.com","phone":"+4915123456789","msg":"login failed"}`,
];
/** Addresses of machines and people, and numbers, in any form that the lines have. */
const PERSONAL =
  /203[.-]0[.-]113[.-]\d|7\.113\.0\.203|198\.51\.100|2001:db8|dora(?:@|%40)|carl@|jane@|spam@|x@y|0199|79460123|151234/;
/** What tells the operator and the reader what happened. */
const TELLING =
  /fail|reject|denied|Invalid user|Unable to negotiate|lost connection|Disconnected|Aborted|Connection closed|unknown user|disconnect|Ban|Found|forbidden|limiting|GET|POST|not found|spam|message-id|verify|invalid/i;

describe('a redacted line of a log', () => {
  it('is of one of forty', () => expect(new Set(LINES).size).toBe(40));

  it.each(LINES)('has no address or number of a person, and says what happened: %s', (line) => {
    expect(line).toMatch(TELLING);
    const { text, changes } = redact(line);
    expect(text).not.toMatch(PERSONAL);
    expect(text).toMatch(TELLING);
    expect(findPersonalData(text)).toEqual([]);
    expect(changes).toHaveLength(1);
    // Nothing else is gone: what stands between the replaced parts stays.
    for (const part of text.split(/\[(?:IP address|email address|phone number)\]/)) expect(line).toContain(part);
  });
});
