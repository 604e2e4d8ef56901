import { expect, test } from 'vitest'
import { hostOf, isLocalHost } from './localAddresses.ts'

test.each([
  ...['http://127.0.0.1/', 'http://127.255.0.9/', 'http://2130706433/', 'http://0x7f.1/', 'http://localhost/'],
  ...['http://a.localhost./', 'http://0.0.0.0/', 'http://169.254.169.254/', 'http://[::]/', 'http://[::1]/'],
  ...['http://[fe80::1]/', 'http://[febf::1]/', 'http://[::ffff:127.0.0.1]/', 'http://[::ffff:a9fe:a9fe]/'],
  ...['http://[::ffff:0.0.0.0]/', 'http://[0:0:0:0:0:ffff:7f00:1]/'],
])('%s is this machine or its link', (url) => expect(isLocalHost(hostOf(url))).toBe(true))

test.each([
  ...[
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://128.0.0.1/',
    'http://169.253.0.1/',
    'http://localhost.example/',
  ],
  ...['http://[2001:db8::1]/', 'http://[fec0::1]/', 'http://[::ffff:10.0.0.1]/'],
])('%s is another machine', (url) => expect(isLocalHost(hostOf(url))).toBe(false))
