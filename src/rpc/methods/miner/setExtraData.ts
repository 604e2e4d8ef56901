import { boolean } from '../../codecs/boolean.ts'
import { decodeHex } from '../../codecs/bytes.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { method, param } from '../../protocol/method.ts'

const extraData: Decoder<Uint8Array> = {
  schema: { title: 'bytes', type: 'string', maxLength: 66 },
  decode: (json) => decodeHex(json, 32),
}

/** Not in Besu 23.10. */
export const miner_setExtraData = method({
  name: 'miner_setExtraData',
  doc: 'Sets the extra data of new blocks, at most 32 bytes, until the node stops.',
  needs: ['mining'],
  params: [param('extraData', extraData)],
  result: boolean,
  example: ['0x71756f696e'],
  handler({ mining }, [extra]) {
    mining.setExtraData(extra)
    return true
  },
})
