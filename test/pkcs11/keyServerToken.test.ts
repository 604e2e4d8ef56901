import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { qbftProtocol } from '../../src/consensus/qbft/qbftProtocol.ts'
import { recoverSigner } from '../../src/consensus/recoverSeal.ts'
import type { Listening } from '../../src/http/listen.ts'
import { createKeyHolder } from '../../src/keyServer/keyHolder.ts'
import { type OpenRecord, openRecord } from '../../src/keyServer/openRecord.ts'
import { openRemoteKey } from '../../src/keyServer/remoteKey.ts'
import { startKeyServer } from '../../src/keyServer/startKeyServer.ts'
import { createLocalKey, type HeldKey, SigningRefused } from '../../src/keys/nodeIdentity.ts'
import { openTokenKey, type TokenKey } from '../../src/pkcs11/openTokenKey.ts'
import { systemClock } from '../../src/system/clock.ts'
import { type Authority, authorities } from '../support/authorityChain.ts'
import { createRecordedLogs } from '../support/recordedLogs.ts'
import { cliqueBlockToSign, wordsToSign } from '../support/signedContents.ts'
import { createSoftTokens, type SoftTokens, whyNoTokens } from '../support/softToken.ts'

const [{ key: privateKey }] = authorities(1) as [Authority]
const local = createLocalKey(privateKey)
const logs = createRecordedLogs()

describe.skipIf(whyNoTokens !== undefined)(`a key server with a token${whyNoTokens ? `: ${whyNoTokens}` : ''}`, () => {
  let folder: string
  let tokens: SoftTokens
  let key: TokenKey
  let record: OpenRecord
  let server: Listening
  let remote: HeldKey

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quoin-token-server-'))
    tokens = createSoftTokens(folder)
    Object.assign(process.env, tokens.env)
    tokens.make('validators')
    tokens.put('validators', 'one', privateKey)
    const { library, pinFile } = tokens
    const place = {
      library,
      pinFile,
      slot: { kind: 'label', label: 'validators' },
      label: 'one',
      agrees: true,
    } as const
    key = await openTokenKey(place, { clock: systemClock, log: logs.child('token') })
    record = openRecord({ path: join(folder, 'signed'), address: key.address, newAfter: 0n })
    server = await startKeyServer(
      { host: '127.0.0.1', port: 0, tls: undefined },
      createKeyHolder(key, record),
      logs.child('server'),
    )
    const url = new URL(`http://127.0.0.1:${server.port}`)
    remote = await openRemoteKey({ url, tls: undefined }, logs.child('node'))
  })
  afterAll(async () => {
    remote?.close()
    await server?.close(0)
    await record?.close()
    key?.close()
    rmSync(folder, { recursive: true })
  })

  test('signs, agrees and refuses as one with a file', async () => {
    const { prepare } = wordsToSign(qbftProtocol, 5n, 0)
    expect(recoverSigner(prepare.digest, await remote.sign(prepare))).toEqual(local.address)
    expect(await remote.agree(local.publicKey)).toEqual(local.agree(local.publicKey))
    await expect(remote.sign(wordsToSign(qbftProtocol, 5n, 0, 1).prepare)).rejects.toThrow(SigningRefused)
  })

  test('a block of Clique has one seal, however often and by how many it is asked for', async () => {
    const block = cliqueBlockToSign(6n, 1)
    // The token itself signs it differently each time.
    expect(await key.sign(block)).not.toEqual(await key.sign(block))
    const seals = await Promise.all(Array.from({ length: 8 }, () => remote.sign(block)))
    expect(recoverSigner(block.digest, seals[0]!)).toEqual(local.address)
    for (const seal of [...seals, await remote.sign(block)]) expect(seal).toEqual(seals[0])
    await expect(remote.sign(cliqueBlockToSign(6n, 1, 1))).rejects.toThrow(SigningRefused)
  })

  test('without its token it does not answer, keeps what was recorded, and signs the same when it is back', async () => {
    const { prepare } = wordsToSign(qbftProtocol, 7n, 0)
    renameSync(tokens.folder, `${tokens.folder}-away`)
    const failure = await remote.sign(prepare).catch((error: unknown) => error)
    expect(failure).not.toBeInstanceOf(SigningRefused)
    expect(String(failure)).toContain('status 503')
    // It was recorded before the token was asked.
    await expect(remote.sign(wordsToSign(qbftProtocol, 7n, 0, 1).prepare)).rejects.toThrow(SigningRefused)
    renameSync(`${tokens.folder}-away`, tokens.folder)
    let signature: Uint8Array | undefined
    await expect.poll(async () => (signature = await remote.sign(prepare).catch(() => undefined))).toBeDefined()
    expect(recoverSigner(prepare.digest, signature!)).toEqual(local.address)
    const said = logs.lines().filter((line) => line.includes('the token with the key'))
    expect(said.map((line) => line.split(' ', 2).join(' '))).toEqual(['warn nothing', 'info the'])
  })
})
