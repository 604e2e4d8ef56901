import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'
import { tlsFile } from '../../../test/support/tlsFixture.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
  cli.write('key', '8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63')
})
afterEach(() => cli.remove())

const start = (...more: string[]) => cli.run(['key-server', '--key-file={dir}/key', '--record={dir}/signed', ...more])
const certificate = [`--tls-certificate-file=${tlsFile('server.crt')}`, `--tls-key-file=${tlsFile('server.key')}`]

test.each([
  [['--host=0.0.0.0'], 'On 0.0.0.0 the key server needs TLS'],
  [['--tls-known-clients-file=x'], 'TLS needs --tls-certificate-file and --tls-key-file'],
  [certificate, 'name those that may connect with --tls-known-clients-file or --tls-ca-file'],
])('%j is refused', async (more, problem) => {
  const { code, stderr } = await start(...more)
  expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
})

test('without a record nothing is started, and none is made', async () => {
  const { code, stderr } = await start()
  expect([code, stderr]).toEqual([1, expect.stringContaining('--new-record=HEIGHT')])
  expect(cli.exists('signed')).toBe(false)
})

test('key and record have to be named', async () => {
  for (const [given, problem] of [
    [[], '--record'],
    [['--record={dir}/signed'], 'Name the key that is held: --key-file, or --pkcs11-library'],
    [['--record={dir}/signed', '--pkcs11-library=x.so'], 'A key in a token needs --pkcs11-key-label'],
    [['--record={dir}/signed', '--key-file=x', '--pkcs11-slot=1'], "--key-file and --pkcs11-slot can't be used at the"],
  ] as const) {
    const { code, stderr } = await cli.run(['key-server', ...given])
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
  }
})

test('a key file that is missing is told with the option that names it', async () => {
  const { code, stderr } = await cli.run(['key-server', '--key-file={dir}/none', '--record={dir}/signed'])
  expect([code, stderr]).toEqual([
    1,
    '{dir}/none: the private key file does not exist. Correct --key-file, or create the file.\n',
  ])
})
