import { precompilesOf } from '../../../evm/precompiles/registry.ts'
import { keyOf } from '../../../primitives/bytes.ts'
import { address, data, hash } from '../../codecs/bytes.ts'
import { integer } from '../../codecs/integer.ts'
import { listEncoder } from '../../codecs/list.ts'
import { nullable } from '../../codecs/nullable.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { txErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'
import { callTreeOf, framesOf, type PlacedFrame, requireTx } from '../../tracing/callTrees.ts'

/** Kinds of calls that carry no ether of their own. */
const withoutValue: ReadonlySet<string> = new Set(['STATICCALL', 'DELEGATECALL'])

const entry = record<PlacedFrame>('call', (member) => [
  member('type', text, ({ frame }) => frame.kind),
  member('depth', integer, ({ depth }) => depth),
  member('from', address, ({ frame }) => frame.from),
  member('to', address, ({ frame }) => frame.to),
  member('value', nullable(quantity), ({ frame }) => (withoutValue.has(frame.kind) ? undefined : frame.value)),
  member('input', data, ({ frame }) => frame.input),
  member('output', data, ({ frame }) => frame.output),
])

export const ots_traceTransaction = method({
  name: 'ots_traceTransaction',
  doc: 'Executes a mined transaction again and returns its calls, creations and self-destructions in order, without precompiled contracts.',
  needs: ['chain', 'evms'],
  params: [param('hash', hash)],
  result: listEncoder(entry),
  errors: txErrors,
  example: [`0x${'ab'.repeat(32)}`],
  handler(ports, [wanted]) {
    const mined = requireTx(ports, wanted)
    const precompiles = precompilesOf(ports.chain.rulesOf(mined.hashed.header))
    return [...framesOf(callTreeOf(ports, mined))].filter(({ frame }) => !precompiles.has(keyOf(frame.to)))
  },
})
