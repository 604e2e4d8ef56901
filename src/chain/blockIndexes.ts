import { accountIndex } from './accounts/accountIndex.ts'
import type { BlockIndex } from './blockIndex/blockIndex.ts'
import { tokenIndex } from './tokens/tokenIndex.ts'

/** The indexes that are on together: what explorers ask for. */
export const blockIndexes: readonly BlockIndex[] = [accountIndex, tokenIndex]
