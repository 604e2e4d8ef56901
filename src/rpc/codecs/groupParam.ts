import { fromBase64 } from '../../privacy/enclave/base64.ts'
import { PrivacyError } from '../../privacy/fault.ts'
import type { Decoder } from './codec.ts'
import { text } from './text.ts'

/** A privacy group id as text; what it means is up to the manager. */
export const groupText: Decoder<string> = {
  schema: { title: 'privacy group id', type: 'string', description: '32 bytes in base64' },
  decode: text.decode,
}

/** The bytes of a group id; a PrivacyError if the text is not one. */
export function requireGroup(id: string): Uint8Array {
  const group = fromBase64(id)
  if (group?.length !== 32) throw new PrivacyError({ code: 'INVALID_GROUP_ID' })
  return group
}
