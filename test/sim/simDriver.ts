import type { Chain } from '../../src/chain/chain.ts'
import type { HashedHeader } from '../../src/chain/view.ts'
import {
  createMachineDriver,
  type Heights,
  type Machine,
  type MachineDriver,
} from '../../src/consensus/producing/machineDriver.ts'
import type { SignedRecord } from '../../src/consensus/producing/signedRecord.ts'
import { createLocalKey } from '../../src/keys/nodeIdentity.ts'
import type { Hash32 } from '../../src/primitives/bytes.ts'
import type { Logger } from '../../src/system/logger.ts'
import type { Block } from '../../src/types/block.ts'
import type { Header } from '../../src/types/header.ts'
import { Violation, type World } from './world.ts'

/** Thrown on purpose: a disk that fails, or a node that dies. Anything else that a driver catches is a bug. */
export class Injected extends Error {}

/** What of a node can fail for a while. */
export type FailingPart = 'write' | 'build' | 'import' | 'contract'

export interface SimDriverParts<T extends { readonly kind: string }, X extends { readonly type: string }> {
  readonly world: World
  readonly name: string
  /** By how much the clock is ahead at the moment. */
  readonly skew: () => number
  /** Asked before each effect: whether the node dies there. */
  readonly dies: () => boolean
  /** Ends the node, before anything more comes of it. */
  readonly crash: () => void
  readonly head: () => HashedHeader
  readonly hash: (header: Header) => Hash32
  /** All unless said otherwise. */
  readonly heights?: Heights
  readonly record: SignedRecord
  /** Another record on top of the disk, which may fail. */
  readonly wrapRecord?: ((record: SignedRecord) => SignedRecord) | undefined
  readonly fails: (part: FailingPart) => boolean
  readonly importBlock: (block: Block) => void
  readonly announce: (block: Block) => void
  readonly isCatchingUp: () => boolean
  readonly createMachine: (restored: Uint8Array | undefined) => Machine<T, X, unknown>
  readonly perform: (effect: X) => void
}

/** The node's own driver in virtual time, on a chain and a disk that are not there. */
export interface SimDriver extends MachineDriver {
  /** The chain has another head. */
  onHead(): void
}

/** Milliseconds below which a block is built or checked. */
const maxWork = 60

export function createSimDriver<T extends { readonly kind: string }, X extends { readonly type: string }>(
  parts: SimDriverParts<T, X>,
): SimDriver {
  const { world, name } = parts
  const listeners = new Set<() => void>()
  let isDead = false

  /** What a driver would catch has to end the run all the same. */
  function act(action: () => void): void {
    if (isDead) throw new Injected('dead')
    if (parts.dies()) {
      parts.crash()
      throw new Injected('crashed')
    }
    try {
      action()
    } catch (error) {
      if (error instanceof Violation) world.fail(error)
      throw error
    }
  }

  function fail(part: FailingPart): void {
    if (parts.fails(part)) throw new Injected(`${part} fails`)
  }

  const log: Logger = {
    trace: () => {},
    debug: () => {},
    info: () => {},
    warn: () => {},
    error(fields) {
      const text = 'error' in fields ? String(fields.error) : ''
      world.note(() => `${name}: ${text.split('\n', 1)[0]}`)
      if (!/^Error: (dead|crashed|\w+ fails)/.test(text)) world.fail(new Violation(`${name} failed: ${text}`))
    },
    child: () => log,
  }

  const disk: SignedRecord = {
    read: parts.record.read,
    write(bytes) {
      fail('write')
      parts.record.write(bytes)
    },
  }
  const record = parts.wrapRecord?.(disk) ?? disk

  const driver = createMachineDriver<T, X, unknown>({
    // What the machines sign they sign at once, each with its own.
    key: createLocalKey(new Uint8Array(32).fill(1)),
    // Of a chain the driver asks for the head only.
    chain: {
      head: parts.head,
      onHead(listener: () => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      importBlock: (block: Block) =>
        act(() => {
          fail('import')
          parts.importBlock(block)
        }),
    } as unknown as Chain,
    consensus: { hash: parts.hash },
    clock: {
      now: () => world.now() + parts.skew(),
      after(milliseconds, action) {
        let isOff = false
        world.at(world.now() + milliseconds, () => {
          if (!isOff && !isDead) action()
        })
        return () => {
          isOff = true
        }
      },
    },
    network: {
      send: () => {},
      broadcastBlock: ({ block }) => parts.announce(block),
      probe: () => {},
      blame: () => {},
      isCatchingUp: parts.isCatchingUp,
    },
    log,
    record: { read: record.read, write: (bytes) => act(() => record.write(bytes)) },
    heights: parts.heights ?? { from: 1n, to: undefined },
    createMachine: parts.createMachine,
    // Blocks are built and checked while other things happen.
    workAhead: (_, done) => world.at(world.now() + world.random.below(maxWork), done),
    perform: (effect) => act(() => parts.perform(effect)),
  })

  return {
    ...driver,
    stop() {
      isDead = true
      driver.stop()
    },
    onHead() {
      for (const listener of listeners) listener()
    },
  }
}
