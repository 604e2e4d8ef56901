import { openRemoteKey } from '../../../src/keyServer/remoteKey.ts'
import { createLocalKey, type RemoteKey } from '../../../src/keys/nodeIdentity.ts'
import { openTokenKey } from '../../../src/pkcs11/openTokenKey.ts'
import { systemClock } from '../../../src/system/clock.ts'
import { packetsToSign } from '../../support/signedContents.ts'
import { createSilentLogs } from '../../support/silentLogs.ts'
import { type HeldValidator, labels } from './tokenNetwork.ts'

async function perSecond(count: number, sign: () => unknown): Promise<number> {
  for (let i = 0; i < count / 10; i++) await sign()
  const before = performance.now()
  for (let i = 0; i < count; i++) await sign()
  return Math.round((1000 * count) / (performance.now() - before))
}

const [packet] = packetsToSign()
const asking = (key: RemoteKey) => () => key.sign(packet!)

/** Signatures a second, one after another, in each way to hold a key. */
export async function signaturesPerSecond(
  inToken: HeldValidator,
  serverUrl: URL,
  count: number,
): Promise<Readonly<Record<HeldValidator['holder'], number>>> {
  const log = createSilentLogs()
  const local = createLocalKey(inToken.privateKey)
  const { library, pinFile, env } = inToken.tokens!
  Object.assign(process.env, env)
  const place = {
    library,
    pinFile,
    slot: { kind: 'label', label: labels.token },
    label: labels.key,
    agrees: true,
  } as const
  const token = await openTokenKey(place, { clock: systemClock, log })
  const server = await openRemoteKey({ url: serverUrl, tls: undefined }, log)
  try {
    return {
      file: await perSecond(count, () => local.sign(packet!.digest)),
      token: await perSecond(count, asking(token)),
      'key server': await perSecond(count, asking(server)),
    }
  } finally {
    token.close()
    server.close()
  }
}
