import { errorOf, expectBytes, Mismatch } from '../../../src/evmtool/expect.ts'
import { toBytes } from '../../../src/evmtool/json.ts'
import { decodeRlp, encodeRlp, RlpError, type RlpItem, scalar } from '../../../src/primitives/rlp.ts'
import type { Entry } from '../data.ts'
import type { Suite } from '../suite.ts'

type Value = string | number | readonly Value[]

function toItem(value: Value): RlpItem {
  if (typeof value === 'number') return scalar(value)
  if (typeof value !== 'string') return value.map(toItem)
  return value.startsWith('#') ? scalar(BigInt(value.slice(1))) : new TextEncoder().encode(value)
}

function check({ test }: Entry): void {
  const { in: value, out } = test as { in: Value; out: string }
  const bytes = toBytes(out)
  if (value === 'INVALID') {
    const error = errorOf(() => decodeRlp(bytes))
    if (!(error instanceof RlpError)) throw new Mismatch(`not refused: ${error?.message ?? 'decoded'}`)
    return
  }
  if (value !== 'VALID') expectBytes('encoding', encodeRlp(toItem(value)), bytes)
  expectBytes('decoded and encoded again', encodeRlp(decodeRlp(bytes)), bytes)
}

export const rlp: Suite = {
  name: 'rlp',
  doc: 'RLPTests: encoding both ways, strict refusal.',
  async *cases(data) {
    for await (const entry of data.entries({ bundles: /^rlp/, folders: ['RLPTests'] }))
      yield { name: `${entry.path} ${entry.name}`, run: () => check(entry) }
  },
}
