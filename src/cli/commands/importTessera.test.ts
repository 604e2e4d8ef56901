import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { argon2i } from '@noble/hashes/argon2.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'
import { toBase64 } from '../../privacy/enclave/base64.ts'
import { encodeGroup, type Group, idOfGroup, legacyGroup } from '../../privacyManager/group.ts'
import { generateKeyPair } from '../../privacyManager/keys.ts'
import { openManagerStore } from '../../privacyManager/managerStore.ts'
import { encodePayload, type SealedPayload } from '../../privacyManager/payload.ts'
import { encodePayloadCbor } from '../../privacyManager/payloadCbor.ts'
import { createSealing, hashPayload } from '../../privacyManager/sealing.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

const [own, second, other] = [generateKeyPair(), generateKeyPair(), generateKeyPair()]
const unlocked = (pair = own) => ({ type: 'unlocked', data: { bytes: toBase64(pair.privateKey) } })

/** A key with a password, with options that take no time. */
function locked(password: string) {
  const [asalt, snonce] = [new Uint8Array(16).fill(3), new Uint8Array(24).fill(4)]
  const secret = argon2i(new TextEncoder().encode(password), asalt, { t: 1, m: 64, p: 2, dkLen: 32 })
  const sbox = xsalsa20poly1305(secret, snonce).encrypt(own.privateKey)
  const aopts = { variant: 'i', iterations: 1, memory: 64, parallelism: 2 }
  const texts = Object.fromEntries(
    Object.entries({ asalt, snonce, sbox }).map(([name, bytes]) => [name, toBase64(bytes)]),
  )
  return { type: 'argon2sbox', data: { ...texts, aopts } }
}

const network = {
  jdbc: { username: 'sa', password: '', url: 'jdbc:h2:/var/tessera/db;MODE=Oracle' },
  serverConfigs: [
    { app: 'Q2T', serverAddress: 'http://127.0.0.1:9101' },
    { app: 'P2P', serverAddress: 'http://manager1.example:9001' },
  ],
  peer: [{ url: 'http://manager2.example:9001/' }],
}

function writeConfig(keys: object, more: object = {}): void {
  cli.write('tessera/config.json', JSON.stringify({ ...network, keys, ...more }))
}
const run = (...args: readonly string[]) =>
  cli.run([
    ...['--data-path={dir}/quoin', 'privacy-manager', 'import', '--from-tessera={dir}/tessera/config.json'],
    ...args,
  ])

describe('keys', () => {
  test('of a file beside the configuration are taken over, with how to go on', async () => {
    cli.write('tessera/key.key', JSON.stringify(unlocked()))
    cli.write('tessera/key.pub', own.name)
    writeConfig({ keyData: [{ privateKeyPath: 'key.key', publicKeyPath: 'key.pub' }] })
    const { code, stdout } = await run()
    expect(code).toBe(0)
    expect(cli.read('quoin/privacy.pub')).toBe(own.name)
    expect(stdout).toContain("org.h2.tools.Script -url 'jdbc:h2:/var/tessera/db' -user 'sa'")
    expect(stdout).toContain(
      '--privacy-enabled --privacy-manager-peer-url=http://manager1.example:9001 ' +
        '--privacy-manager-peer-port=9001 --privacy-manager-peers=http://manager2.example:9001/\n',
    )
  })

  test('in the configuration itself are taken over, several too', async () => {
    writeConfig({
      keyData: [
        { privateKey: toBase64(own.privateKey), publicKey: own.name },
        { config: unlocked(second), publicKey: second.name },
      ],
    })
    const { code, stdout } = await run()
    expect(code).toBe(0)
    expect([cli.read('quoin/privacy.pub'), cli.read('quoin/privacy2.pub')]).toEqual([own.name, second.name])
    expect(stdout).toContain(`--privacy-manager-key-file=${cli.dir}/quoin/privacy.key,${cli.dir}/quoin/privacy2.key`)
  })

  test('with a password are opened by it, wherever it stands', async () => {
    cli.write('tessera/passwords', 'secret\n')
    cli.write('given', 'secret\n')
    const entry = { config: locked('secret'), publicKey: own.name }
    const configs = [
      { keyData: [entry], passwords: ['secret'] },
      { keyData: [entry], passwordFile: 'passwords' },
      { keyData: [entry], passwords: ['wrong'] },
    ]
    for (const [i, keys] of configs.entries()) {
      writeConfig(keys)
      expect((await run(...(i === 2 ? ['--password-file={dir}/given'] : []))).code).toBe(0)
      expect(cli.read('quoin/privacy.pub')).toBe(own.name)
    }
  })

  test.each([
    ['a missing password', { config: locked('secret') }, [], 'has a password: give it with --password-file'],
    ['a wrong password', { config: locked('secret') }, ['other'], 'the password of the key'],
    ['another public key', { config: unlocked(), publicKey: other.name }, [], `its public key is ${own.name}`],
    ['a vault', { hashicorpVaultSecretName: 'a', publicKey: own.name }, [], 'is in a vault (hashicorpVaultSecretName)'],
    ['an elliptic curve', { config: { type: 'unlocked', data: { bytes: 'AAAA' } } }, [], 'only NaCl keys'],
    ['another type', { config: { type: 'rot13' } }, [], 'its type is rot13'],
    ['a missing file', { privateKeyPath: 'none.key' }, [], 'cannot read {dir}/tessera/none.key: ENOENT'],
  ])('%s is refused, and nothing is written', async (_, entry, passwords, want) => {
    writeConfig({ keyData: [entry], passwords })
    const { code, stderr } = await run()
    expect([code, stderr]).toEqual([1, expect.stringContaining(want)])
    expect(cli.exists('quoin/privacy.key')).toBe(false)
  })

  test('a key that is there already is never overwritten', async () => {
    writeConfig({ keyData: [{ config: unlocked(second) }] })
    await run()
    writeConfig({ keyData: [{ config: unlocked() }] })
    const { code, stderr } = await run()
    expect([code, stderr]).toEqual([1, expect.stringContaining('never overwritten')])
  })

  test.each([
    ['not JSON', 'nonsense', 'it is not JSON'],
    ['without keys', '{}', 'keys.keyData is missing'],
  ])('a configuration that is %s is refused', async (_, text, want) => {
    cli.write('tessera/config.json', text)
    expect((await run()).stderr).toContain(want)
  })
})

/** The database as H2 exports it. */
function exportOf(payloads: readonly (readonly string[])[], groups: readonly Group[]): string {
  const hex = (bytes: Uint8Array) => `X'${Buffer.from(bytes).toString('hex')}'`
  const groupRows = groups.map((group) => [hex(idOfGroup(group)), hex(encodeGroup(group)), 'NULL', '1794801132418'])
  const insert = (table: string, rows: readonly (readonly string[])[]) =>
    `INSERT INTO "PUBLIC"."${table}" VALUES\n${rows.map((row) => `(${row.join(', ')})`).join(',\n')};        \n`
  return [
    '-- H2 2.2.224; \n;              \n',
    'CREATE CACHED TABLE "PUBLIC"."ENCRYPTED_TRANSACTION"(\n    "ENCODED_PAYLOAD" BINARY VARYING NOT NULL,\n',
    '    "PAYLOAD_CODEC" CHARACTER VARYING(50),\n    "TIMESTAMP" BIGINT,\n    "HASH" BINARY VARYING NOT NULL\n);  \n',
    insert('ENCRYPTED_TRANSACTION', payloads),
    'CREATE CACHED TABLE "PUBLIC"."PRIVACY_GROUP"(\n    "ID" BINARY VARYING NOT NULL,\n    "DATA" BINARY VARYING NOT NULL,\n',
    '    "LOOKUP_ID" BINARY VARYING,\n    "TIMESTAMP" BIGINT\n);  \n',
    insert('PRIVACY_GROUP', groupRows),
  ].join('')
}

describe('payloads and groups', () => {
  const group: Group = {
    ...{ name: "a'b", description: '', members: [own.publicKey, other.publicKey] },
    ...{ seed: new Uint8Array(20).fill(5), type: 'PANTHEON', state: 'ACTIVE' },
  }
  const legacy = legacyGroup([own.publicKey, other.publicKey])
  const seal = (text: string, from = own, to = [own, other]): SealedPayload =>
    createSealing([from]).seal(
      new TextEncoder().encode(text),
      from,
      to.map(({ publicKey }) => publicKey),
      idOfGroup(group),
    )
  const row = (payload: SealedPayload, codec = 'CBOR', hash = hashPayload(payload)) => {
    const bytes = codec === 'CBOR' ? encodePayloadCbor(payload) : encodePayload(payload)
    const hex = (part: Uint8Array) => `X'${Buffer.from(part).toString('hex')}'`
    return [hex(bytes), codec === 'NULL' ? codec : `'${codec}'`, '1794801132418', hex(hash)]
  }

  beforeEach(() => writeConfig({ keyData: [{ config: unlocked() }] }))

  test('are read from an exported database, in both codecs of Tessera, as often as one likes', async () => {
    const payloads = [seal('one'), seal('two'), seal('three', other)]
    const foreign = seal('four', other, [other, second])
    const rows = [row(payloads[0]!), row(payloads[1]!, 'LEGACY'), row(payloads[2]!, 'NULL'), row(foreign)]
    cli.write('export.sql', exportOf(rows, [group, legacy]))
    for (let n = 0; n < 2; n++) {
      const { code, stdout } = await run('--payloads={dir}/export.sql')
      expect(code).toBe(0)
      expect(stdout).toContain(
        'imported payloads: 3, groups: 2\n1 payloads were left out: none of the keys opens them\n',
      )
    }
    const store = openManagerStore(`${cli.dir}/quoin/privacy`)
    expect(payloads.map((payload) => store.payload(hashPayload(payload)))).toEqual(payloads)
    expect(store.payload(hashPayload(foreign))).toBeUndefined()
    expect([store.group(idOfGroup(group)), store.group(idOfGroup(legacy))]).toEqual([group, legacy])
    await store.close()
  })

  test.each<[string, readonly string[], string]>([
    ['another hash', row(seal('one'), 'CBOR', new Uint8Array(64)), 'line 10: the payload was not made in Orion mode'],
    ['nonsense', ["X'00'", "'CBOR'", '1', "X'00'"], 'line 10: Invalid payload data'],
    ['a value elsewhere', ['SYSTEM_COMBINE_BLOB(1)', 'NULL', '1', "X'00'"], 'line 10: the row is not as H2 exports it'],
  ])('a row with %s is named', async (_, bad, want) => {
    cli.write('export.sql', exportOf([bad], []))
    const { code, stderr } = await run('--payloads={dir}/export.sql')
    expect([code, stderr]).toEqual([1, expect.stringContaining(want)])
  })

  test('a file that does not exist is named', async () => {
    const { code, stderr } = await run('--payloads={dir}/none.sql')
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot read {dir}/none.sql: ENOENT')])
  })

  test('of a database that is not H2 come from the other managers', async () => {
    writeConfig({ keyData: [{ config: unlocked() }] }, { jdbc: { url: 'jdbc:postgresql://db/tessera?password=x' } })
    const { stdout } = await run()
    expect(stdout).toContain(
      'the database jdbc:postgresql://db/tessera is not H2.\nStart with --privacy-manager-recover',
    )
  })
})
