import { cka, ckk, cko } from './constants.ts'
import { TokenError } from './fault.ts'
import type { Session } from './session.ts'
import { type AttributeValue, attributes } from './structures.ts'

/** Objects that are looked at. */
const maxObjects = 64

function findObjects({ library, handle }: Session, wanted: readonly (readonly [number, AttributeValue])[]): bigint[] {
  const template = attributes(library, wanted)
  library.call('C_FindObjectsInit', handle, template, wanted.length)
  const [objects, count] = [new BigUint64Array(maxObjects), new BigUint64Array(1)]
  try {
    library.call('C_FindObjects', handle, objects, maxObjects, count)
  } finally {
    library.call('C_FindObjectsFinal', handle)
  }
  return [...objects.subarray(0, Number(count[0]))]
}

const privateKeys = [
  [cka.class, cko.privateKey],
  [cka.keyType, ckk.ec],
] as const

/** The handle of the only private key on an elliptic curve that has this label. */
export function findKey(session: Session, label: string): bigint {
  const found = findObjects(session, [...privateKeys, [cka.label, Buffer.from(label)]])
  const fault = (reason: string) => new TokenError({ code: 'NO_KEY', label, reason })
  if (found.length > 1) throw fault(`the token has ${found.length} private keys of that label`)
  if (found.length === 1) return found[0]!
  const others = findObjects(session, privateKeys).length
  throw fault(
    `the token has no private key of that label on an elliptic curve; of others it has ${others === 0 ? 'none' : others}`,
  )
}
