# How scripts in Python called the service: urlencode, urlopen and split('-'). In the classic dialect, queries use GET.
# HASH_PREFIX is the prefix with which the service's clients hash; default: service-.
# python3 client.py specification|classic BASE_URL report|query|delete|show ...
import hashlib
import json
import os
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen


PREFIX = os.environ.get('HASH_PREFIX', 'service-')


def hash_of(value):
    value = value.strip().replace(' ', '').lower()
    for _ in range(32000):
        value = hashlib.sha1((PREFIX + value).encode('utf-8')).hexdigest()
    return value


def ask(url, data=None):
    try:
        return urlopen(url, data)
    except HTTPError as error:
        return error


dialect, base, command = sys.argv[1:4]
args = sys.argv[4:]
api = base + '/api/'
answer = ''

if command == 'hash':
    answer = hash_of(args[0])
elif command == 'report':
    key, text, email = args
    form = {'_api': key, '_action': 'report', '_type': 'fraud', '_value': 7, '_text': text, 'email': hash_of(email)}
    response = ask(api, urlencode(form).encode('ascii'))
    answer = response.read().decode('utf-8')
    if dialect == 'classic' and answer.startswith('OK:'):
        answer = answer[3:]
    elif dialect != 'classic' and answer == 'OK':
        answer = response.headers['X-Deletion-Code']
elif command == 'query':
    key, email = args
    form = urlencode({'_api': key, '_action': 'query', 'email': hash_of(email)})
    if dialect == 'classic':
        answer = ask(api + '?' + form).read().decode('utf-8')
        line = answer.replace('<report>', '').replace('</report>', '')
    else:
        line = answer = ask(api, form.encode('ascii')).read().decode('utf-8')
    parts = line.split('-')
    if len(parts) == 4:
        answer = ' '.join(parts[:3] + [parts[3].split('/')[-1]])
elif command == 'delete':
    key, code = args
    form = {'_api': key, '_action': 'delete', '_code': code}
    answer = ask(api, urlencode(form).encode('ascii')).read().decode('utf-8')
elif command == 'show':
    response = ask(api + '?' + urlencode({'showreport': args[0]}))
    if response.getcode() == 200:
        reports = json.loads(response.read().decode('utf-8'))['ReportAdvanceds']
        answer = ''.join(report['type'] + ' ' + report['description'] for report in reports)
    else:
        answer = 'nothing'

sys.stdout.buffer.write(answer.encode('utf-8'))
