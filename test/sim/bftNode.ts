import type { HashedHeader } from '../../src/chain/view.ts'
import type {
  BftCrypto,
  BftEffect,
  BftEvent,
  BftMachine,
  BftMachineParts,
  BftTimer,
} from '../../src/consensus/bft/machine.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import type { Due } from '../../src/consensus/producing/timers.ts'
import { createVotes, type Votes } from '../../src/consensus/voting/votes.ts'
import { type Address, never } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { createInbox } from '../../src/primitives/inbox.ts'
import type { Block } from '../../src/types/block.ts'
import type { Authority } from '../support/authorityChain.ts'
import { type BftLaw, fromTheFuture } from './bftLaw.ts'
import type { BftSetting } from './bftSetting.ts'
import { Violation, type World } from './world.ts'

export interface ChainBlock extends HashedHeader {
  /** Undefined for the block that everyone starts with. */
  readonly block: Block | undefined
}

export interface BftNodeParts {
  readonly world: World
  readonly protocol: BftProtocol
  readonly law: BftLaw
  readonly setting: BftSetting
  readonly key: Authority
  readonly crypto: BftCrypto
  readonly createMachine: (parts: BftMachineParts) => BftMachine
  /** By how much the clock is ahead at the moment. */
  readonly skew: () => number
  /** Asked before each effect: whether the node dies there. */
  readonly dies: () => boolean
  /** Asked in a crash: whether the last block is lost, too. */
  readonly forgets: () => boolean
  readonly say: (code: number, data: Uint8Array, to: Address | undefined) => void
  readonly gossip: (code: number, data: Uint8Array, except: readonly Address[]) => void
  readonly announce: (block: Block) => void
  /** A block became the head. */
  readonly onImport: (block: HashedHeader) => void
  /** Somebody has blocks that are missing here. */
  readonly onBehind: (from: number) => void
}

/** A validator's node: the machine, its driver, and a chain. Record and chain outlive a crash, all else is lost. */
export interface BftNode {
  readonly key: Authority
  readonly votes: Votes
  readonly name: string
  start(): void
  crash(): void
  isUp(): boolean
  head(): ChainBlock
  round(): number
  blocksFrom(number: bigint): readonly Block[]
  receive(code: number, data: Uint8Array, from: Address): void
  /** A way to another node has opened. */
  onLink(address: Address): void
  /** Takes the blocks that follow the head; `from` is who sent them. */
  receiveBlocks(blocks: readonly Block[], from: number): void
}

export function createBftNode(parts: BftNodeParts): BftNode {
  const { world, protocol, law, setting, key } = parts
  const name = `v${setting.keys.indexOf(key)}`
  const votes = createVotes()
  const chain: ChainBlock[] = [{ ...law.genesis, block: undefined }]
  const timers = new Map<BftTimer['kind'], object>()
  const inbox = createInbox<BftEvent>((event) => machine && handle(machine, event))
  let record: Uint8Array | undefined
  let machine: BftMachine | undefined

  const head = () => chain.at(-1)!
  const localNow = () => world.now() + parts.skew()

  function crash(): void {
    const hasForgotten = chain.length > 1 && parts.forgets()
    if (hasForgotten) chain.pop()
    world.note(() => `${name} crashes${hasForgotten ? ' and forgets its last block' : ''}`)
    machine = undefined
    timers.clear()
    inbox.clear()
  }

  function handle(at: BftMachine, event: BftEvent): void {
    for (const effect of at.handle(event, localNow())) {
      if (parts.dies()) {
        crash()
        return
      }
      perform(effect)
    }
  }

  function setTimer(timer: BftTimer, due: Due): void {
    const token = {}
    timers.set(timer.kind, token)
    world.at('at' in due ? due.at - parts.skew() : world.now() + due.after, () => {
      if (timers.get(timer.kind) !== token) return
      timers.delete(timer.kind)
      world.note(() => `${name} wakes for its ${timer.kind} timer ${describeTimer(timer)}`)
      inbox.put({ type: 'timer', timer })
    })
  }

  function perform(effect: BftEffect): void {
    switch (effect.type) {
      case 'persist':
        record = effect.record
        return
      case 'send':
        parts.say(effect.code, effect.data, effect.to)
        return
      case 'gossip':
        parts.gossip(effect.code, effect.data, effect.except)
        return
      case 'timer':
        setTimer(effect.timer, effect.due)
        return
      case 'import':
        importOwn(effect.block)
        return
      case 'peerAhead':
        parts.onBehind(setting.keys.findIndex(({ address }) => address === effect.address))
        return
      case 'failure':
        throw effect.error
      case 'rubbish':
      case 'closed':
        return
      default:
        never(effect)
    }
  }

  const faultOf = (block: Block) => law.faultOf(block, head(), localNow()) ?? law.sealFaultOf(block, head())

  function append(block: Block): void {
    const { header } = block
    const sealed = { header, hash: law.hashOf(header), block }
    chain.push(sealed)
    law.remember(sealed)
    world.note(() => `${name} imports block ${header.number} ${toHex(sealed.hash).slice(2, 10)}`)
    parts.onImport(sealed)
  }

  function importOwn(block: Block): void {
    // Another way may have been shorter.
    if (block.header.number <= head().header.number) return
    const fault = faultOf(block)
    // A clock that was set back makes even a final block wait.
    if (fault === fromTheFuture) return
    if (fault) throw new Violation(`${name} took block ${block.header.number} for final: ${fault}`)
    append(block)
    parts.announce(block)
    inbox.put({ type: 'head', head: head() })
  }

  return {
    key,
    votes,
    name,
    crash,
    head,
    isUp: () => machine !== undefined,
    round: () => machine?.status()?.round ?? -1,
    blocksFrom: (number) => chain.slice(Number(number)).flatMap(({ block }) => block ?? []),
    start() {
      if (machine) return
      world.note(() => `${name} starts at height ${head().header.number + 1n}${record ? ', with a record' : ''}`)
      machine = parts.createMachine({
        protocol,
        address: key.address,
        crypto: parts.crypto,
        blocks: {
          build: (plan) => law.build(key, plan, votes, world.random.bytes(4)),
          check: (block, parent) => law.faultOf(block, parent, localNow()) === undefined,
          hasTransactions: setting.hasTransactions,
        },
        validatorsAfter: law.validatorsAfter,
        timingAt: law.timingAt,
        requestTimeoutSeconds: setting.config.requestTimeoutSeconds,
        limits: setting.config.messageLimits,
        restored: record,
      })
      inbox.put({ type: 'head', head: head() })
    },
    onLink(address) {
      if (machine) inbox.put({ type: 'link', address })
    },
    receive(code, data, from) {
      if (machine) inbox.put({ type: 'message', code, data, from })
    },
    receiveBlocks(blocks, from) {
      if (!machine) return
      const before = head()
      if (blocks[0] && blocks[0].header.number > before.header.number + 1n) return parts.onBehind(from)
      for (const block of blocks)
        if (block.header.number === head().header.number + 1n && !faultOf(block)) append(block)
      if (head() !== before) inbox.put({ type: 'head', head: head() })
    },
  }
}

function describeTimer(timer: BftTimer): string {
  return timer.kind === 'round' ? `${timer.height}/${timer.round}` : String(timer.height)
}
