import type { WriteBehind } from '../store/writeBehind.ts'
import type { Block } from '../types/block.ts'
import type { HeadEvent } from './events.ts'

/**
 * Imports many blocks while another thread writes them. They are seen and announced when they are on disk: until then only the blocks
 * that are imported after them know of them.
 */
export interface BulkImport {
  /** Resolves when the next blocks may come; a fault of the disk, or of a listener to new blocks, is thrown here at the latest. */
  ready(): Promise<void>
  /** As the chain's own. */
  importBlocks(blocks: readonly Block[]): void
  /** Resolves when all of them are on disk and announced. */
  settle(): Promise<void>
  /**
   * Returns when all of them are on disk and announced. Nothing of the state is in memory then, so that somebody else may write;
   * or, with `unmaps`, the file is closed.
   */
  rest(unmaps: boolean): void
  /** Settles; there may be another one then. */
  end(): Promise<void>
}

export interface BulkImportParts {
  readonly behind: WriteBehind
  /** Imports blocks with a transaction of `behind`; `onMade` gets what is to be announced. */
  importBlocks(blocks: readonly Block[], onMade: (events: readonly HeadEvent[]) => void): void
  announce(event: HeadEvent): void
}

/** Transactions that may be on their way to the disk while another one is being made. */
const maxInFlight = 2

/** `deliver` announces what is on disk by now: other announcements come first. */
export function createBulkImport(parts: BulkImportParts): Omit<BulkImport, 'rest'> & { deliver(): void } {
  const { behind } = parts
  /** What is to be announced when so many transactions are on disk, oldest first. */
  const pending: { readonly made: number; readonly events: readonly HeadEvent[] }[] = []
  let failure: { readonly error: unknown } | undefined

  function deliver(): void {
    const onDisk = behind.onDisk()
    while (pending.length > 0 && pending[0]!.made <= onDisk)
      for (const event of pending.shift()!.events) parts.announce(event)
  }

  // A listener's fault must reach the importer, not the event loop.
  behind.onProgress(() => {
    try {
      deliver()
    } catch (error) {
      failure ??= { error }
    }
  })

  async function settleTo(max: number): Promise<void> {
    await behind.settle(max)
    deliver()
    if (failure) throw failure.error
  }

  const settle = () => settleTo(0)

  return {
    deliver,
    ready: () => settleTo(maxInFlight),
    importBlocks: (blocks) =>
      parts.importBlocks(blocks, (events) => void pending.push({ made: behind.made(), events })),
    settle,
    async end() {
      try {
        await settle()
      } finally {
        await behind.close()
      }
    },
  }
}
