import type { Table } from '../../store/table.ts'
import {
  tokenBalances,
  tokenBlockRange,
  tokenBlocks,
  tokenHolders,
  tokenItems,
  tokenRanks,
  tokens,
} from '../../store/tokenTables.ts'
import { BlockIndex } from '../blockIndex/blockIndex.ts'
import { countTransfers, packTransfers } from './packedTransfers.ts'
import { TokenChanges } from './tokenChanges.ts'

/** Who holds how much of which token, by the events of ERC-20, ERC-721 and ERC-1155. */
export const tokenIndex = new BlockIndex({
  name: 'tokens',
  range: tokenBlockRange,
  waiting: tokenBlocks,
  rows: [tokens, tokenRanks, tokenBalances, tokenItems, tokenHolders] as readonly Table<unknown, unknown>[],
  maxWaiting: { live: { blocks: 256, entries: 8192 }, bulk: { blocks: 1024, entries: 65_536 } },
  pack: (_, receipts) => packTransfers(receipts),
  count: countTransfers,
  add(txn, blocks) {
    const changes = new TokenChanges(txn, 1)
    for (const { packed } of blocks) changes.add(packed)
    changes.write()
  },
  cut(txn, { packed }) {
    const changes = new TokenChanges(txn, -1)
    changes.add(packed)
    changes.write()
  },
})
