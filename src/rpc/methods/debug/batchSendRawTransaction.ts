import type { PoolFault } from '../../../pool/fault.ts'
import { Fault } from '../../../primitives/fault.ts'
import type { NetworkTx } from '../../../types/blobSidecar.ts'
import { decodeTx } from '../../../types/decodeTx.ts'
import { chainIdOf } from '../../../types/transaction.ts'
import { boolean } from '../../codecs/boolean.ts'
import { data } from '../../codecs/bytes.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { integer } from '../../codecs/integer.ts'
import { listDecoder, listEncoder } from '../../codecs/list.ts'
import { rawTransaction } from '../../codecs/rawTransaction.ts'
import { record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { RpcError } from '../../protocol/fault.ts'
import { type Method, method, param } from '../../protocol/method.ts'

/** Result of one transaction; without a fault, the pool has accepted it. */
interface SubmissionResult {
  readonly index: number
  readonly fault: string | undefined
}

const verdictObject = record<SubmissionResult>('submission result', (member) => [
  member('index', integer, ({ index }) => index),
  member('success', boolean, ({ fault }) => fault === undefined),
  member.optional('errorMessage', text, ({ fault }) => fault),
])

/** A transaction, or Besu's message for an invalid one. */
const rawItem: Decoder<NetworkTx | string> = {
  schema: data.schema,
  decode(json) {
    try {
      return rawTransaction.decode(json)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return explain(json)
    }
  },
}

function explain(json: unknown): string {
  if (json === '' || json === '0x') return 'index is out of bounds'
  try {
    const tx = decodeTx(data.decode(json))
    if (tx.type === 0 && chainIdOf(tx) === undefined && tx.v !== 27n && tx.v !== 28n)
      return `An unsupported encoded \`v\` value of ${tx.v} was found`
  } catch (error) {
    if (!(error instanceof Fault)) throw error
  }
  return 'Invalid raw transaction hex'
}

const oneList = method({
  name: 'debug_batchSendRawTransaction',
  doc:
    'Submits signed transactions as `eth_sendRawTransaction` does, and returns for each whether the pool accepted it. ' +
    'The transactions are separate parameters or one list.',
  needs: ['pool'],
  params: [param('transactions', listDecoder(rawItem), { value: [] })],
  result: listEncoder(verdictObject),
  async handler({ pool }, [items]) {
    const reason = async (item: NetworkTx | string): Promise<string | undefined> =>
      typeof item === 'string' ? item : codeOf(await pool.submit(item))
    const faults = await Promise.all(items.map(reason))
    return faults.map((fault, index) => ({ index, fault }))
  },
})

function codeOf(fault: PoolFault | undefined): string | undefined {
  return fault?.code
}

export const debug_batchSendRawTransaction: Method = {
  ...oneList,
  run: (ports, args, budget) =>
    oneList.run(ports, [args.length === 1 && Array.isArray(args[0]) ? args[0] : args], budget),
}
