import type { Block } from '../../data/objects.ts'
import { readExtraData } from '../../decode/extraData.ts'
import { formatCount, formatShare } from '../../format/numbers.ts'
import { Age } from '../../parts/Age.tsx'
import { BlockLink } from '../../parts/Links.tsx'
import { Sealer, sealerTitle } from '../../parts/Sealer.tsx'
import { Table } from '../../parts/Table.tsx'

/** The round of a block; the first is 0, later ones mean that validators failed to agree before. */
export function Round({ round }: { round: number }) {
  return round === 0 ? <>0</> : <span class="tag bad">{round}</span>
}

/** A list of blocks. */
export function BlockTable({ blocks, expected }: { blocks: readonly Block[] | undefined; expected: number }) {
  const bft = blocks?.some(({ extraData }) => 'round' in readExtraData(extraData)) ?? false
  const columns = [
    { title: 'Block', numeric: true },
    { title: 'Age' },
    { title: sealerTitle(blocks?.[0]), minor: true },
    { title: 'Txs', numeric: true },
    { title: 'Gas', numeric: true },
    ...(bft ? [{ title: 'Round', numeric: true }] : []),
  ]
  const rows = blocks?.map((block) => {
    const extra = readExtraData(block.extraData)
    return {
      key: block.hash,
      cells: [
        <BlockLink key="number" number={Number(block.number)} />,
        <Age key="age" timestamp={Number(block.timestamp)} />,
        <Sealer key="sealer" header={block} copy={false} />,
        formatCount(block.transactions.length),
        formatShare(BigInt(block.gasUsed), BigInt(block.gasLimit)),
        ...(bft ? ['round' in extra ? <Round key="round" round={extra.round} /> : ''] : []),
      ],
    }
  })
  return <Table label="Blocks" columns={columns} rows={rows} expected={expected} />
}
