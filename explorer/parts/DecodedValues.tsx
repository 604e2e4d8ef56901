import { type Hex, isAddress } from 'viem'
import { type Decoded, showValue } from '../decode/decoded.ts'
import { areAmounts } from '../decode/tokenAmounts.ts'
import { AddressLink } from './Links.tsx'
import { Text } from './Text.tsx'
import { InUnits } from './TokenParts.tsx'

function Value({ type, value }: { type: string; value: unknown }) {
  if (type === 'address' && typeof value === 'string' && isAddress(value)) return <AddressLink address={value as Hex} />
  return <Text value={showValue(value)} code={type !== 'string'} max={400} />
}

/** A decoded call or event: its name, and a line for each value; amounts of the token that it belongs to in its units, too. */
export function DecodedValues({
  decoded,
  token,
  amounts = token ? areAmounts(decoded) : [],
}: {
  decoded: Decoded
  token?: Hex | undefined
  /** Which values are amounts, where the names do not say it. */
  amounts?: readonly boolean[]
}) {
  return (
    <div class="decoded">
      <strong>
        <Text value={decoded.name} max={100} />
      </strong>
      <dl>
        {decoded.values.map(({ name, type, value }, i) => (
          <div key={`${i} ${name}`}>
            <dt>
              <Text value={name} max={60} />{' '}
              <span class="unit">
                <Text value={type} max={60} />
              </span>
            </dt>
            <dd>
              {token && amounts[i] && typeof value === 'bigint' && <InUnits address={token} amount={value} />}
              <Value type={type} value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
