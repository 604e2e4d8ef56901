import { RpcError } from '../protocol/fault.ts'
import type { Param } from '../protocol/method.ts'
import { wei } from './quantity.ts'

function refused(data: string): RpcError {
  return new RpcError({ code: 'INVALID_PARAMS', data })
}

/** An amount of wei, with Besu's messages for invalid ones. */
export const explainedWei: Param<bigint> = {
  name: 'wei',
  schema: wei.schema,
  required: true,
  read(json) {
    if (json === undefined || json === null) throw refused('Missing required json rpc parameter at index 0')
    if (typeof json === 'string') {
      const digits = json.replace(/^0x/, '')
      const at = digits.search(/[^0-9a-fA-F]/)
      if (at >= 0) throw refused(`Illegal character '${digits[at]}' found at index ${at} in hex binary representation`)
    }
    return wei.decode(json)
  },
}
