import { keccak256 } from '../../../primitives/keccak.ts'
import { data, hash } from '../../codecs/bytes.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

/** Unlike elsewhere, the prefix `0x` is required, as in Besu. */
const prefixed = {
  schema: data.schema,
  decode(json: unknown): Uint8Array {
    if (typeof json !== 'string' || (json !== '' && !json.startsWith('0x'))) throw invalidParams()
    return data.decode(json)
  },
}

export const web3_sha3 = method({
  name: 'web3_sha3',
  doc: 'Returns the Keccak-256 hash of data.',
  needs: [],
  params: [param('data', prefixed)],
  fixedCount: true,
  result: hash,
  example: ['0x68656c6c6f20776f726c64'],
  handler: (_, [bytes]) => keccak256(bytes),
})
