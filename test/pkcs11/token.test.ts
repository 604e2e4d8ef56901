import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenPlaceOf } from '../../src/chainData/tokenPlace.ts'
import { recoverSigner } from '../../src/consensus/recoverSeal.ts'
import { createLocalKey } from '../../src/keys/nodeIdentity.ts'
import { agreementWays, findAgreement } from '../../src/pkcs11/agreement.ts'
import { findKey } from '../../src/pkcs11/findKey.ts'
import { openTokenKey, type TokenKey } from '../../src/pkcs11/openTokenKey.ts'
import { openSession } from '../../src/pkcs11/session.ts'
import type { KeyPlace } from '../../src/pkcs11/tokenSigner.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { workerUrl } from '../../src/primitives/packageRoot.ts'
import { curveOrder } from '../../src/primitives/secp256k1.ts'
import { bytesToBigInt } from '../../src/primitives/u256.ts'
import { systemClock } from '../../src/system/clock.ts'
import { type Authority, authorities } from '../support/authorityChain.ts'
import { childrenOf } from '../support/childrenOf.ts'
import { createManualClock } from '../support/manualClock.ts'
import { createRecordedLogs } from '../support/recordedLogs.ts'
import { packetsToSign } from '../support/signedContents.ts'
import { createSoftTokens, type SoftTokens, whyNoTokens } from '../support/softToken.ts'

const [{ key: privateKey }, { key: otherKey }] = authorities(2) as [Authority, Authority]
const local = createLocalKey(privateKey)
const digests = Array.from({ length: 40 }, (_, i) => keccak256(Uint8Array.of(i)))

let folder: string
let tokens: SoftTokens
let logs: ReturnType<typeof createRecordedLogs>
const opened: TokenKey[] = []

const place = (more: Partial<KeyPlace> = {}): KeyPlace => ({
  library: tokens.library,
  slot: { kind: 'label', label: 'validators' },
  pinFile: tokens.pinFile,
  label: 'one',
  agrees: true,
  ...more,
})

async function open(more: Partial<KeyPlace> = {}, clock = systemClock, patience = 0): Promise<TokenKey> {
  logs = createRecordedLogs()
  const key = await openTokenKey(place(more), { clock, log: logs.child('keys'), patience })
  opened.push(key)
  return key
}

/** Waits until a key signs again. */
async function signs(key: TokenKey): Promise<Uint8Array> {
  let signature: Uint8Array | undefined
  await expect.poll(async () => (signature = await key.signDigest(digests[0]!).catch(() => undefined))).toBeDefined()
  return signature!
}

const libraryProcesses = () =>
  childrenOf(process.pid).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('tokenWorker'))

describe.skipIf(whyNoTokens !== undefined)(`a key in a token${whyNoTokens ? `: ${whyNoTokens}` : ''}`, () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quoin-token-'))
    tokens = createSoftTokens(folder)
    Object.assign(process.env, tokens.env)
    tokens.make('validators')
    tokens.put('validators', 'one', privateKey)
    tokens.put('validators', 'two', otherKey)
    tokens.generate('validators', 'made by a tool', '--usage-sign', '--usage-derive')
    tokens.generate('validators', 'only signs', '--usage-sign')
  })
  afterAll(() => {
    for (const key of opened) key.close()
    rmSync(folder, { recursive: true })
  })

  test('signs with the lower s and the parity, and agrees on secrets as the key itself', async () => {
    const key = await open()
    expect([key.publicKey, key.address]).toEqual([local.publicKey, local.address])
    for (const digest of digests) {
      const signature = await key.signDigest(digest)
      expect(recoverSigner(digest, signature)).toEqual(local.address)
      expect(bytesToBigInt(signature.subarray(32, 64))).toBeLessThanOrEqual(curveOrder / 2n)
    }
    const { publicKey } = createLocalKey(otherKey)
    expect(await key.agree(publicKey)).toEqual(local.agree(publicKey))
  })

  // Finalizers run between turns of the event loop: nothing that the library refers to may be collected, least of all itself.
  test('goes on while memory is collected', () => {
    const program = `
      import { TokenSigner } from ${JSON.stringify(workerUrl('pkcs11/tokenSigner.ts').href)}
      const signer = await TokenSigner.open(JSON.parse(process.argv[1]))
      for (let i = 0; i < 20; i++) {
        for (let j = 0; j < 3; j++) {
          gc()
          await new Promise((done) => setTimeout(done, 5))
        }
        signer.sign(new Uint8Array(32).fill(i + 1))
        signer.agree(signer.publicKey)
      }`
    const args = ['--expose-gc', '--input-type=module', '--eval', program, JSON.stringify(place())]
    const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect([status, signal, stderr]).toEqual([0, null, ''])
  })

  test('is found by label, slot or place in the list', async () => {
    const nowhere = await open({ slot: { kind: 'slot', slot: 77 } }).catch((error: Error) => error.message)
    const slot = Number(/"validators" in slot (\d+)/.exec(String(nowhere))![1])
    for (const one of [
      { kind: 'slot', slot },
      { kind: 'index', index: 0 },
    ] as const)
      expect((await open({ slot: one })).address).toEqual(local.address)
    const file = join(folder, 'besu.cfg')
    writeFileSync(file, `name = SoftHSM\nlibrary = ${tokens.library} # where Debian has it\nslot = ${slot}\n`)
    const values = { 'pkcs11-config-file': file, 'pkcs11-key-label': 'two', 'pkcs11-pin-file': tokens.pinFile }
    const { library, slot: found, label } = tokenPlaceOf({ ...none, ...values }, 'x')
    expect([library, found, label]).toEqual([tokens.library, { kind: 'slot', slot }, 'two'])
    const generated = await open({ label: 'made by a tool' })
    expect(recoverSigner(digests[0]!, await generated.signDigest(digests[0]!))).toEqual(generated.address)
  })

  test.each(agreementWays)('takes points that are $encoding, and gives secrets out $exit', async (way) => {
    const session = await openSession(place())
    const named = { label: 'one', publicKey: local.publicKey }
    const agreement = findAgreement(session, findKey(session, 'one'), named, [way])
    for (const digest of digests) {
      const { publicKey } = createLocalKey(digest)
      expect(agreement.with(publicKey)).toEqual(local.agree(publicKey))
    }
  })

  test.each<[string, Partial<KeyPlace> & { readonly wrongPin?: true }, RegExp]>([
    ['no library', { library: '/nowhere/lib.so' }, /PKCS#11 library \/nowhere\/lib.so: .*(cannot open|no such file)/i],
    ['a library of something else', { library: 'libc.so.6' }, /libc.so.6: .*C_GetFunctionList/],
    ['no token', { slot: { kind: 'label', label: 'none' } }, /no token "none"; it has "validators" in slot \d+/],
    ['no slot', { slot: { kind: 'slot', slot: 77 } }, /no token in slot 77/],
    ['no key', { label: 'three' }, /key "three": the token has no private key of that label .* of others it has 4/],
    ['no PIN', { pinFile: undefined }, /asks for a PIN, .* --pkcs11-pin-file/],
    ['no file of the PIN', { pinFile: '/nowhere/pin' }, /\/nowhere\/pin: the password file cannot be read/],
    ['a wrong PIN', { wrongPin: true }, /token "validators": the PIN is wrong/],
    ['a key that only signs', { label: 'only signs' }, /cannot agree on secrets .*CKR_KEY_FUNCTION_NOT_PERMITTED/],
  ])('%s is told at the start, at once', async (_, { wrongPin, ...more }, problem) => {
    const wrong = join(folder, 'wrong')
    writeFileSync(wrong, '0000')
    const attempt = openTokenKey(place({ ...more, ...(wrongPin && { pinFile: wrong }) }), {
      clock: systemClock,
      log: createRecordedLogs(),
      // Nobody waits for what does not pass.
      patience: /token|slot/.test(String(problem)) && !wrongPin ? 0 : 600_000,
    })
    await expect(attempt).rejects.toThrow(problem)
  })

  test('keys of other curves are refused', async () => {
    tokens.generateOn('EC:prime256v1', 'validators', 'P-256')
    await expect(open({ label: 'P-256' })).rejects.toThrow('key "P-256": it is not a key of secp256k1')
  })

  test('a key for signatures alone need not agree', async () => {
    const key = await open({ label: 'only signs', agrees: false })
    expect(recoverSigner(digests[0]!, await key.signDigest(digests[0]!))).toEqual(key.address)
    await expect(key.agree(local.publicKey)).rejects.toThrow()
    expect(recoverSigner(digests[1]!, await key.signDigest(digests[1]!))).toEqual(key.address)
  })

  test('a token that is pulled out is away, and signs again when it is back', async () => {
    const key = await open()
    await key.signDigest(digests[0]!)
    renameSync(tokens.folder, `${tokens.folder}-away`)
    await expect(key.signDigest(digests[1]!)).rejects.toThrow()
    await expect.poll(() => key.signDigest(digests[1]!).catch((error: Error) => error.message)).toMatch(/CKR_|no token/)
    renameSync(`${tokens.folder}-away`, tokens.folder)
    expect(recoverSigner(digests[0]!, await signs(key))).toEqual(local.address)
    const [away, back] = logs.lines()
    expect(away).toMatch(/^warn nothing is signed while the token with the key does not answer: .*CKR_/)
    expect(back).toMatch(/^info the token with the key answers again, after \d+ s$/)
  })

  test('a start waits for a token that is not there yet', async () => {
    renameSync(tokens.folder, `${tokens.folder}-away`)
    const opening = open({}, systemClock, 200_000)
    setTimeout(() => renameSync(`${tokens.folder}-away`, tokens.folder), 1000)
    expect((await opening).address).toEqual(local.address)
  })

  test('a library that crashes takes nothing with it', async () => {
    const key = await open()
    const before = libraryProcesses()
    for (const pid of before.slice(-1)) process.kill(pid, 'SIGSEGV')
    expect(recoverSigner(digests[0]!, await signs(key))).toEqual(local.address)
    expect(logs.lines()[0]).toContain('ended with SIGSEGV')
    expect(libraryProcesses().filter((pid) => !before.includes(pid))).toHaveLength(1)
  })

  test('a library that hangs is given up; blocks go before peers', async () => {
    const clock = createManualClock(0)
    const key = await open({}, clock)
    const [hanging] = libraryProcesses().slice(-1)
    process.kill(hanging!, 'SIGSTOP')
    const [packet] = packetsToSign()
    const first = key.signDigest(digests[0]!)
    const asked = [...Array.from({ length: 64 }, () => key.sign(packet!)), key.signDigest(digests[1]!)]
    await expect(key.sign(packet!)).rejects.toThrow('too much to do for peers')
    const results = Promise.allSettled([first, ...asked])
    clock.run(10_000)
    for (const one of await results)
      expect(String((one as PromiseRejectedResult).reason)).toContain('has not answered for 10 s')
    clock.run(1)
    expect(recoverSigner(digests[0]!, await signs(key))).toEqual(local.address)
    const order: string[] = []
    await Promise.all([
      key.signDigest(digests[0]!).then(() => order.push('first')),
      key.sign(packet!).then(() => order.push('packet')),
      key.sign({ ...packet!, kind: 'qbft' }).then(() => order.push('block')),
    ])
    expect(order).toEqual(['first', 'block', 'packet'])
  })

  test('a PIN that has become wrong is tried once', async () => {
    const copy = join(folder, 'pin that changes')
    writeFileSync(copy, readFileSync(tokens.pinFile))
    const key = await open({ pinFile: copy })
    const before = libraryProcesses()
    writeFileSync(copy, '0000')
    for (const pid of before.slice(-1)) process.kill(pid, 'SIGKILL')
    await expect.poll(() => logs.lines().join()).toContain('The token is not asked again')
    await expect.poll(() => libraryProcesses().length).toBe(before.length - 1)
    await expect(key.signDigest(digests[0]!)).rejects.toThrow('the PIN is wrong')
    writeFileSync(copy, readFileSync(tokens.pinFile))
  })

  test('another key of that label is not used', async () => {
    tokens.make('changing')
    tokens.put('changing', 'one', privateKey)
    const key = await open({ slot: { kind: 'label', label: 'changing' } })
    tokens.remove('changing')
    tokens.make('changing')
    tokens.put('changing', 'one', otherKey)
    await expect
      .poll(() => key.signDigest(digests[0]!).catch((error: Error) => error.message))
      .toContain('another one than before')
  })
})

const none = {
  'pkcs11-library': undefined,
  'pkcs11-token': undefined,
  'pkcs11-slot': undefined,
  'pkcs11-pin-file': undefined,
  'pkcs11-key-label': undefined,
  'pkcs11-config-file': undefined,
}
