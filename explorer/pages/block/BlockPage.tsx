import { useEffect } from 'preact/hooks'
import { useHead } from '../../data/head.ts'
import type { FullBlock, Receipt } from '../../data/objects.ts'
import { remember } from '../../data/recent.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { readExtraData } from '../../decode/extraData.ts'
import { formatBytes, formatCount, formatShare } from '../../format/numbers.ts'
import { toQuantity } from '../../format/quantity.ts'
import { formatTime } from '../../format/times.ts'
import { Age } from '../../parts/Age.tsx'
import { Gwei } from '../../parts/Amount.tsx'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { Hash } from '../../parts/Links.tsx'
import { Empty, Failed, Waiting } from '../../parts/Notes.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Sealer, sealerTitle } from '../../parts/Sealer.tsx'
import { Text } from '../../parts/Text.tsx'
import { TxTable } from '../../parts/TxTable.tsx'
import { Round } from './BlockTable.tsx'

const perPage = 50

/** Gas that no block can use: free networks set the limit as high as it goes. */
const unlimited = 1n << 50n

/** A block by number, tag or hash. */
export function BlockPage({ name, query }: { name: string; query: URLSearchParams }) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const isHash = /^0x[0-9a-f]{64}$/i.test(name)
  const wanted = /^\d+$/.test(name) ? toQuantity(BigInt(name)) : name
  const missing = !isHash && head !== undefined && /^\d+$/.test(name) && Number(name) > head
  const { value, error } = useLoad(
    `block ${node.path} ${name}`,
    () => ask<FullBlock | null>(isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber', [wanted, true]),
    // A block that is not there yet may come.
    missing ? head : /^\D/.test(name) && !isHash ? head : undefined,
  )
  useEffect(() => {
    if (value) remember(`block/${Number(value.number)}`, `Block ${formatCount(Number(value.number))}`)
  }, [value])
  if (error)
    return (
      <>
        <h1>Block {name.slice(0, 80)}</h1>
        <Failed error={error} what="This block" />
      </>
    )
  if (value === null)
    return (
      <>
        <h1>Block {name.slice(0, 80)}</h1>
        <Empty>
          {isHash ? 'This node knows no block with this hash.' : 'This block is not there yet.'}{' '}
          {missing && `The head is block ${formatCount(head)}; this page shows the block as soon as it comes.`}
        </Empty>
      </>
    )
  return (
    <>
      <header class="title">
        <h1>Block {value ? formatCount(Number(value.number)) : name.slice(0, 20)}</h1>
        {value && <Neighbours number={Number(value.number)} head={head} />}
      </header>
      <BlockFacts block={value} />
      <BlockTxs block={value} page={Math.max(0, Number(query.get('page')) || 0)} />
    </>
  )
}

function Neighbours({ number, head }: { number: number; head: number | undefined }) {
  return (
    <nav class="pager" aria-label="Blocks before and after">
      {number > 0 && (
        <a class="button" href={`#/block/${number - 1}`}>
          ← {formatCount(number - 1)}
        </a>
      )}
      {head !== undefined && number < head && (
        <a class="button" href={`#/block/${number + 1}`}>
          {formatCount(number + 1)} →
        </a>
      )}
    </nav>
  )
}

function BlockFacts({ block }: { block: FullBlock | undefined }) {
  const extra = block && readExtraData(block.extraData)
  const show = (render: (block: FullBlock) => preact.ComponentChildren) => (block ? render(block) : <Waiting />)
  return (
    <Card title="Overview">
      <Facts>
        <Fact name="Made">
          {show(({ timestamp }) => (
            <>
              <Age timestamp={Number(timestamp)} /> <span class="soft number">{formatTime(Number(timestamp))}</span>
            </>
          ))}
        </Fact>
        <Fact name="Hash">
          {show(({ hash }) => (
            <Hash hex={hash} what="block hash" full />
          ))}
        </Fact>
        <Fact name="Parent">
          {show(({ parentHash, number }) =>
            Number(number) === 0 ? (
              'none: this is genesis'
            ) : (
              <a class="mono" href={`#/block/${parentHash}`}>
                {parentHash.slice(0, 18)}…
              </a>
            ),
          )}
        </Fact>
        <Fact name={sealerTitle(block)}>
          {show((header) => (
            <Sealer header={header} full />
          ))}
        </Fact>
        {extra && 'round' in extra && (
          <Fact name="Round">
            <Round round={extra.round} />{' '}
            <span class="soft">
              {extra.round > 0 && 'earlier rounds did not agree in time; '}
              {extra.seals} of {extra.validators.length || 'the'} validators sealed it
            </span>
          </Fact>
        )}
        <Fact name="Gas used">
          {show(({ gasUsed, gasLimit }) => (
            <span class="number">
              {formatCount(BigInt(gasUsed))}
              {BigInt(gasLimit) < unlimited
                ? ` of ${formatCount(BigInt(gasLimit))} (${formatShare(BigInt(gasUsed), BigInt(gasLimit))})`
                : ' (no limit to speak of)'}
            </span>
          ))}
        </Fact>
        <Fact name="Base fee">
          {show(({ baseFeePerGas }) => (baseFeePerGas ? <Gwei wei={BigInt(baseFeePerGas)} /> : 'none'))}
        </Fact>
        <Fact name="Size">{show(({ size }) => formatBytes(Number(size)))}</Fact>
        <Fact name="State root">
          {show(({ stateRoot }) => (
            <Hash hex={stateRoot} what="state root" full />
          ))}
        </Fact>
        <Fact name="Extra data">
          {show(({ extraData }) => (
            <Text value={extraData} code max={200} />
          ))}
        </Fact>
      </Facts>
    </Card>
  )
}

function BlockTxs({ block, page }: { block: FullBlock | undefined; page: number }) {
  const { ask } = useSite()
  const hash = block?.hash
  const count = block?.transactions.length ?? 0
  const load = async () => (hash && count > 0 ? await ask<readonly Receipt[]>('eth_getBlockReceipts', [hash]) : [])
  const { value: receipts } = useLoad(`receipts ${hash}`, load)
  const failed = new Set(
    receipts?.flatMap(({ status, transactionHash }) => (status === '0x0' ? [transactionHash] : [])),
  )
  const shown = block?.transactions.slice(page * perPage, (page + 1) * perPage)
  const txs = shown?.map((tx) => ({ tx, failed: failed.has(tx.hash) }))
  const route = (to: number) => `block/${Number(block?.number)}?page=${to}`
  return (
    <Card
      title="Transactions"
      side={
        <span class="pager">
          <span class="soft number">{formatCount(count)}</span>
          {count > perPage && (
            <Pager
              label="Pages of transactions"
              newer={page > 0 ? route(page - 1) : undefined}
              older={(page + 1) * perPage < count ? route(page + 1) : undefined}
              words={['← Before', 'After →']}
            />
          )}
        </span>
      }
    >
      {txs?.length === 0 ? (
        <Empty>This block has no transactions.</Empty>
      ) : (
        <TxTable label="Transactions" txs={txs} placed={false} expected={5} />
      )}
    </Card>
  )
}
