import type { Hash32 } from '../primitives/bytes.ts'

/** What a validator says in a message of BFT. A proposal, a prepare and a commit of one round are for one block: they are one vote. */
export type BftWord = 'vote' | 'seal' | 'roundChange'

/** What the signature of something would bind its key to. */
export type Claim =
  /** Packets of discovery and node records: there may be any number. */
  | { readonly type: 'free' }
  | {
      readonly type: 'bft'
      readonly height: bigint
      readonly round: number
      readonly word: BftWord
      /** What is said; the same in all ways to write it. */
      readonly value: string
      /** Whether it commits to a block. */
      readonly commits: boolean
      /** Of a round change: the round of the block that it says was prepared. */
      readonly preparedRound?: number | undefined
    }
  | { readonly type: 'clique'; readonly number: bigint; readonly parent: Hash32; readonly hash: Hash32 }
