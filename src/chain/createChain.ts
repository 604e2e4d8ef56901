import type { Evm } from '../evm/evm.ts'
import { BlockError } from '../execution/fault.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { runSteps, type Steps } from '../primitives/steps.ts'
import { useAndClose } from '../primitives/useAndClose.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { Store } from '../store/store.ts'
import type { Reader, Transaction } from '../store/table.ts'
import type { Block } from '../types/block.ts'
import { beginAccountIndex, type IndexPace } from './accounts/accountIndex.ts'
import { createAnnouncer } from './announcer.ts'
import { createBadBlocks, recordBad, recordIfBad } from './badBlocks.ts'
import { createBlockProposer } from './blockProposer.ts'
import { createBlockRunner } from './blockRunner.ts'
import { createBlockWriter } from './blockWriter.ts'
import { type BulkImport, createBulkImport } from './bulkImport.ts'
import type { Chain, ChainBorrower, ChainLoan } from './chain.ts'
import type { CheckedBlock } from './checkedBlock.ts'
import { createChainView } from './createChainView.ts'
import type { ConsensusEngine } from './engine.ts'
import type { HeadEvent } from './events.ts'
import { ChainError } from './fault.ts'
import { openGenesis } from './genesis.ts'
import { identify } from './identify.ts'
import { createBlockImporter } from './importBlock.ts'
import type { TxPermission } from './permissionCheck.ts'
import { createProposals } from './proposals.ts'
import { canonicalKey, requireHead, requireHeaderRecord, writeMark } from './records.ts'
import { replayBlock } from './replayBlock.ts'
import type { ChainView, HashedBlock } from './view.ts'

export interface ChainParts {
  readonly spec: ChainSpec
  readonly store: Store
  readonly states: StateStore
  readonly consensus: ConsensusEngine
  /** Runs blocks; the chain is its only user. */
  readonly evm: Evm
  /** Store the output of reverted transactions. */
  readonly keepRevertReasons?: boolean
  /** Index the logs of blocks as they are imported; without it they are found by the blooms of headers. */
  readonly indexLogs?: boolean
  /** Index in which transactions accounts appear, of blocks as they are imported; false by default. */
  readonly indexAccounts?: boolean
  /** Whether blocks come many at a time, and nobody asks for them meanwhile; false by default. */
  readonly isBulk?: boolean
  /** Account permissioning of all blocks; if absent, all transactions are permitted. */
  readonly permits?: TxPermission | undefined
}

/** Opens the chain in a store; an empty store gets the genesis block, one of another network is refused. */
export function createChain(parts: ChainParts): Chain {
  const { spec, store, states, consensus, evm, keepRevertReasons = false } = parts
  const { indexLogs = true, indexAccounts = false, isBulk = false } = parts
  const genesis = openGenesis(store, spec, states, consensus)
  if (indexAccounts) beginAccountIndex(store)
  const badBlocks = createBadBlocks()
  const heads = createAnnouncer<HeadEvent>()
  const proposals = createProposals()
  const viewOf = (reader: Reader): ChainView => createChainView(parts, reader, () => {})
  const runner = createBlockRunner({ spec, states, consensus, evm, permits: parts.permits })
  const accountPace: IndexPace | undefined = indexAccounts ? (isBulk ? 'bulk' : 'live') : undefined
  const writer = createBlockWriter({ states, consensus, runner, keepRevertReasons, viewOf, indexLogs, accountPace })
  const importInto = createBlockImporter({ spec, consensus, badBlocks, proposals, runner, writer, viewOf })
  const proposer = createBlockProposer({ states, consensus, proposals, runner, writer, viewOf })

  /** Counts those who use the EVM or write: what was begun before is not continued. */
  let uses = 0
  /** What imports many blocks, here or in another thread. */
  let importer: Pick<ChainBorrower, 'deliver'> | undefined
  let isLent = false

  function identifyBlock(block: Block | CheckedBlock): HashedBlock | CheckedBlock {
    if ('hash' in block) return block
    const { header, hash } = identify(consensus, block.header)
    return { header, hash, block: header === block.header ? block : { ...block, header } }
  }

  function openView(letGo?: () => void): ChainView {
    const snapshot = store.openSnapshot(letGo)
    try {
      return createChainView(parts, snapshot, snapshot.close)
    } catch (error) {
      snapshot.close()
      throw error
    }
  }

  /** One write transaction; if it fails or is undone nothing of it is left, neither on disk nor in the EVM's memory. */
  function write<T>(action: (txn: Transaction, undo: (result: T) => never) => T, to: Pick<Store, 'write'> = store): T {
    uses++
    if (isLent) {
      runner.forget()
      proposals.clear()
    }
    let undone: { readonly result: T } | undefined
    const undo = (result: T): never => {
      undone = { result }
      throw undone
    }
    try {
      return to.write((txn) => action(txn, undo))
    } catch (error) {
      runner.forget()
      if (undone && error === undone) return undone.result
      throw error
    }
  }

  /** Steps that only read; they end early, with undefined, if the chain has been used otherwise between two of them. */
  function* readInSteps<T>(stepsOn: (reader: Reader) => Steps<T>): Steps<T | undefined> {
    // The thread that writes can be held up for a moment only: all steps are one.
    if (isLent) return write((txn) => runSteps(stepsOn(txn)))
    const use = ++uses
    store.flush()
    const steps = stepsOn(store.latest)
    try {
      for (;;) {
        const { done, value } = steps.next()
        if (done) return value
        yield
        if (uses !== use) return undefined
      }
    } catch (error) {
      runner.forget()
      throw error
    }
  }

  function announceNow(event: HeadEvent): void {
    proposals.clear()
    heads.announce(event)
  }

  function announce(event: HeadEvent | undefined): void {
    if (!event) return
    importer?.deliver()
    announceNow(event)
  }

  function refuseCondemned({ hash }: HashedBlock): void {
    const bad = badBlocks.find(hash)
    if (bad?.condemned) throw new BlockError({ code: 'KNOWN_BAD_BLOCK', reason: bad.reason })
  }

  /** Imports blocks in one transaction; if one is invalid, those before it in another one. */
  function importAll(
    blocks: readonly Block[],
    to: Pick<Store, 'write'>,
    onMade: (events: readonly HeadEvent[]) => void,
  ): void {
    const events: HeadEvent[] = []
    let done = 0
    try {
      write((txn) => {
        for (const block of blocks) {
          const hashed = identifyBlock(block)
          const { event } = recordIfBad(badBlocks, hashed, () => importInto(txn, hashed))
          if (event) events.push(event)
          done++
        }
      }, to)
    } catch (error) {
      if (done > 0) importAll(blocks.slice(0, done), to, onMade)
      throw error
    }
    onMade(events)
  }

  async function openBulk(): Promise<BulkImport> {
    const behind = await store.openBehind()
    const opened = createBulkImport({
      behind,
      importBlocks: (blocks, onMade) => importAll(blocks, behind, onMade),
      announce: announceNow,
    })
    importer = opened
    return {
      ...opened,
      rest(letsGo) {
        if (letsGo) store.letGo()
        else {
          store.flush()
          runner.forget()
        }
        opened.deliver()
      },
      async end() {
        try {
          await opened.end()
        } finally {
          importer = undefined
        }
      },
    }
  }

  function lend(borrower: ChainBorrower): ChainLoan {
    const loan = store.lend(borrower)
    importer = borrower
    isLent = true
    // Steps that were begun would go on in another state.
    uses++
    return {
      written: loan.written,
      announce: announceNow,
      end() {
        loan.end()
        importer = undefined
        isLent = false
        runner.forget()
      },
    }
  }

  return {
    spec,
    genesis,
    badBlocks,
    head: () => store.read(requireHead),
    read: (ask) => useAndClose(openView(), ask),
    openView,
    importBlock(block) {
      const hashed = identifyBlock(block)
      refuseCondemned(hashed)
      const { status, event } = recordIfBad(badBlocks, hashed, () => write((txn) => importInto(txn, hashed)))
      announce(event)
      return status
    },
    importBlocks: (blocks) => importAll(blocks, store, (events) => events.forEach(announce)),
    openBulk,
    lend,
    *propose(draft, select, maker = {}) {
      if (equalBytes(store.read(requireHead).hash, draft.header.parentHash))
        return yield* readInSteps((reader) => proposer.propose(reader, draft, select, maker))
      return write<HashedBlock | undefined>((txn, undo) => undo(proposer.proposeBefore(txn, draft, select, maker)))
    },
    produce(draft, select, maker = {}) {
      const event = write((txn) => proposer.produce(txn, draft, select, maker))
      announce(event)
      return event?.added[0]
    },
    *verify(block) {
      const hashed = identifyBlock(block)
      refuseCondemned(hashed)
      try {
        yield* readInSteps((reader) => proposer.verify(reader, hashed))
      } catch (error) {
        if (error instanceof BlockError) recordBad(badBlocks, hashed, error)
        throw error
      }
    },
    setHead(number) {
      const event = write((txn) => {
        const key = canonicalKey(txn, number)
        if (!key) throw new ChainError({ code: 'BLOCK_NOT_FOUND', number })
        const removed = writer.unwindTo(txn, key.number).reverse()
        return { head: requireHeaderRecord(txn, key), added: [], removed }
      })
      announce(event)
    },
    replayBlock: (number) =>
      announce(write((txn) => replayBlock(txn, number, { unwindTo: writer.unwindTo, importInto }))),
    setMark: (mark, hash) => write((txn) => writeMark(txn, mark, hash)),
    exchangeState(exchange) {
      write(exchange)
      runner.forget()
    },
    prune: (before) => write((txn) => states.prune(txn, before)),
    onHead: heads.subscribe,
  }
}
