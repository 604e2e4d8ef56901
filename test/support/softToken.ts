import { execFileSync, spawnSync } from 'node:child_process'
import { createECDH, createPrivateKey } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const libraries = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
]

const library = libraries.find((path) => existsSync(path))

/** Why there are no tokens on this machine; undefined if there are. */
export const whyNoTokens: string | undefined =
  library === undefined
    ? 'SoftHSM is not installed (Debian: apt install softhsm2 opensc)'
    : ['softhsm2-util', 'pkcs11-tool'].find((name) => spawnSync(name, ['--help']).error)?.concat(' is not installed')

export const pin = '98761234'
const soPin = '12345678'

/** Tokens of SoftHSM in a folder; the processes that use them need its environment. */
export interface SoftTokens {
  readonly library: string
  readonly folder: string
  readonly env: { readonly SOFTHSM2_CONF: string }
  readonly pinFile: string
  /** Makes a token. */
  make(label: string): void
  remove(label: string): void
  /** Makes a key in a token, as operators do. */
  generate(label: string, keyLabel: string, ...more: readonly string[]): void
  generateOn(curve: string, label: string, keyLabel: string, ...more: readonly string[]): void
  /** Brings a private key that the test knows into a token. */
  put(label: string, keyLabel: string, key: Uint8Array): void
}

/** PKCS#8 of a key of secp256k1. */
function pkcs8Of(key: Uint8Array): Buffer {
  const ecdh = createECDH('secp256k1')
  ecdh.setPrivateKey(key)
  const point = ecdh.getPublicKey()
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), Buffer.from(key)].map((part) =>
    part.toString('base64url'),
  )
  const jwk = { kty: 'EC', crv: 'secp256k1', x: x!, y: y!, d: d! }
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'der' })
}

export function createSoftTokens(folder: string): SoftTokens {
  const tokens = join(folder, 'tokens')
  mkdirSync(tokens, { recursive: true })
  const conf = join(folder, 'softhsm2.conf')
  writeFileSync(conf, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`)
  const pinFile = join(folder, 'pin')
  writeFileSync(pinFile, `${pin}\n`)
  const env = { SOFTHSM2_CONF: conf }
  const run = (program: string, args: readonly string[]) =>
    execFileSync(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const tool = (label: string, args: readonly string[]) =>
    run('pkcs11-tool', ['--module', library!, '--token-label', label, '--login', '--pin', pin, ...args])
  const generateOn: SoftTokens['generateOn'] = (curve, label, keyLabel, ...more) =>
    void tool(label, ['--keypairgen', '--key-type', curve, '--label', keyLabel, ...more])
  return {
    library: library!,
    folder: tokens,
    env,
    pinFile,
    make: (label) =>
      void run('softhsm2-util', ['--init-token', '--free', '--label', label, '--so-pin', soPin, '--pin', pin]),
    remove: (label) => void run('softhsm2-util', ['--delete-token', '--token', label]),
    generate: (label, keyLabel, ...more) => generateOn('EC:secp256k1', label, keyLabel, ...more),
    generateOn,
    put(label, keyLabel, key) {
      const file = join(folder, 'key.der')
      writeFileSync(file, pkcs8Of(key))
      tool(label, ['--write-object', file, '--type', 'privkey', '--label', keyLabel, '--usage-sign', '--usage-derive'])
      rmSync(file)
    },
  }
}
