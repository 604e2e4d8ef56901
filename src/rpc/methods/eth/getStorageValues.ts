import { type Address, type Hash32, padLeft } from '../../../primitives/bytes.ts'
import { toHex } from '../../../primitives/hex.ts'
import { findState } from '../../../query/findState.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockRef, latest } from '../../codecs/blockRef.ts'
import { address, data, slotKey } from '../../codecs/bytes.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { decodeObject } from '../../codecs/jsonObject.ts'
import { listDecoder, listEncoder } from '../../codecs/list.ts'
import { dictionary } from '../../codecs/record.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { invalidParams, RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

/** Maximum number of slots per call. */
const maxSlots = 1024

const slotsByAddress: Decoder<readonly (readonly [Address, readonly Hash32[]])[]> = {
  schema: { title: 'slots by address', type: 'object' },
  decode(json) {
    const wanted = Object.entries(decodeObject(json)).map(
      ([key, slots]) => [address.decode(key), listDecoder(slotKey).decode(slots)] as const,
    )
    const total = wanted.reduce((sum, [, slots]) => sum + slots.length, 0)
    if (total === 0 || total > maxSlots) throw invalidParams(`the number of slots must be from 1 to ${maxSlots}`)
    return wanted
  },
}

/** Not in Besu 23.10. */
export const eth_getStorageValues = method({
  name: 'eth_getStorageValues',
  doc: 'Returns storage slots of several accounts at a block, each as 32 bytes.',
  needs: ['chain'],
  params: [param('slots', slotsByAddress), param('block', blockRef, { value: latest })],
  result: dictionary(listEncoder(data)),
  errors: blockErrors,
  example: [{ '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73': ['0x0'] }, 'latest'],
  handler({ chain }, [wanted, block]) {
    const state = findState(chain, requireHeader(chain, block))
    if (!state) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
    return new Map(
      wanted.map(([owner, slots]) => [toHex(owner), slots.map((slot) => padLeft(state.storage(owner, slot), 32))]),
    )
  },
})
