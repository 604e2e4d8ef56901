import type { ComponentChildren } from 'preact'
import { formatCount, formatShare } from '../../format/numbers.ts'
import { formatTime } from '../../format/times.ts'
import { Age } from '../../parts/Age.tsx'
import { Ether, Gwei } from '../../parts/Amount.tsx'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { AddressLink, BlockLink } from '../../parts/Links.tsx'
import { Waiting } from '../../parts/Notes.tsx'
import { RevertReason } from './RevertReason.tsx'
import type { WholeTx } from './TransactionPage.tsx'
import { WaitsFor } from './WaitsFor.tsx'

const types: Readonly<Record<string, string>> = {
  '0x0': 'legacy',
  '0x1': 'with access list (EIP-2930)',
  '0x2': 'with dynamic fee (EIP-1559)',
  '0x3': 'with blobs (EIP-4844)',
  '0x4': 'sets code (EIP-7702)',
}

function Status({ value: { tx, receipt } }: { value: WholeTx }) {
  if (!receipt) return <WaitsFor tx={tx} />
  if (receipt.status !== '0x0') return <span class="tag good">succeeded</span>
  return (
    <>
      <span class="tag bad">failed</span> <RevertReason tx={tx} receipt={receipt} />
    </>
  )
}

/** Status, place, parties and cost of a transaction. */
export function Overview({ value }: { value: WholeTx | undefined }) {
  const show = (render: (value: WholeTx) => ComponentChildren) => (value ? render(value) : <Waiting />)
  return (
    <Card title="Overview">
      <Facts>
        <Fact name="Status">
          {show((whole) => (
            <Status value={whole} />
          ))}
        </Fact>
        <Fact name="Block">
          {show(({ tx, timestamp }) =>
            tx.blockNumber ? (
              <>
                <BlockLink number={Number(tx.blockNumber)} />
                {timestamp !== undefined && (
                  <>
                    {' '}
                    <Age timestamp={timestamp} /> <span class="soft number">{formatTime(timestamp)}</span>
                  </>
                )}
              </>
            ) : (
              'none yet'
            ),
          )}
        </Fact>
        <Fact name="From">
          {show(({ tx }) => (
            <AddressLink address={tx.from} full />
          ))}
        </Fact>
        <Fact name="To">
          {show(({ tx, receipt }) =>
            tx.to ? (
              <AddressLink address={tx.to} full />
            ) : receipt?.contractAddress ? (
              <>
                new contract <AddressLink address={receipt.contractAddress} full />
              </>
            ) : (
              'new contract'
            ),
          )}
        </Fact>
        <Fact name="Value">
          {show(({ tx }) => (
            <Ether wei={BigInt(tx.value)} />
          ))}
        </Fact>
        <Fact name="Fee">
          {show(({ receipt }) =>
            receipt ? (
              <Ether wei={BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)} />
            ) : (
              'known when it is in a block'
            ),
          )}
        </Fact>
        <Fact name="Gas">
          {show(({ tx, receipt }) => (
            <span class="number">
              {receipt && `${formatCount(BigInt(receipt.gasUsed))} of `}
              {formatCount(BigInt(tx.gas))}
              {receipt && ` (${formatShare(BigInt(receipt.gasUsed), BigInt(tx.gas))})`}
            </span>
          ))}
        </Fact>
        <Fact name="Gas price">
          {show(({ tx, receipt }) => (
            <>
              <Gwei wei={BigInt(receipt?.effectiveGasPrice ?? tx.gasPrice ?? tx.maxFeePerGas ?? 0)} />
              {tx.maxFeePerGas && (
                <span class="soft">
                  {' '}
                  at most <Gwei wei={BigInt(tx.maxFeePerGas)} />
                </span>
              )}
            </>
          ))}
        </Fact>
        <Fact name="Nonce">
          {show(({ tx }) => (
            <span class="number">{formatCount(BigInt(tx.nonce))}</span>
          ))}
        </Fact>
        <Fact name="Type">{show(({ tx }) => types[tx.type] ?? tx.type)}</Fact>
      </Facts>
    </Card>
  )
}
