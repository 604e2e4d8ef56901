import { failed } from '../../config/fault.ts'
import { quorumOf } from '../../consensus/bft/checkCommitSeals.ts'
import { majorityOf } from '../../consensus/voting/tally.ts'
import type { ValidatorApi } from './validatorApi.ts'

export interface RotatePorts {
  /** The node whose key is replaced, and others that vote at once, because they are of the same operator. */
  readonly nodes: readonly [ValidatorApi, ...ValidatorApi[]]
  readonly say: (line: string) => void
  /** Waits until it is time to look again; rejects when the operator has had enough. */
  readonly pause: () => Promise<void>
}

/** The key that a validator has, and the one that it gets. */
export interface Rotation {
  readonly from: string
  readonly to: string
}

/** Looks after which votes are sent again: a node that was restarted has forgotten its own. */
const voteAgain = 20

/** Validators that have to agree on a block. */
const neededOf = ({ engine }: ValidatorApi, count: number) =>
  engine === 'clique' ? majorityOf(count) : quorumOf(count)

/** While the new key is a validator that no process has, the others must be enough without it. */
async function checkCapacity(node: ValidatorApi, { to }: Rotation): Promise<void> {
  const validators = await node.validators()
  if (validators.length === 1)
    throw failed(
      `There is one validator: with ${to} as a second one, which no process has yet, it could make no block. Start another node with the new key, vote for it, and let the old one be voted out`,
    )
  const [head, last] = [await node.head(), await node.lastBlocks()]
  const recent = head - 4 * validators.length
  const active = validators.filter((one) => (last.get(one) ?? 0) > recent || head < 4 * validators.length)
  const needed = neededOf(node, validators.length + 1)
  if (active.length < needed)
    throw failed(
      `With ${to} there are ${validators.length + 1} validators, of whom ${needed} have to agree, and only ${active.length} make blocks now: the network would stand still until the new ` +
        'key is in use. Get the others to run first, or see quoin validator replace',
    )
}

class Rotating {
  private readonly ports: RotatePorts
  private readonly node: ValidatorApi

  constructor(ports: RotatePorts) {
    this.ports = ports
    this.node = ports.nodes[0]
  }

  private async voteAll(subject: string, add: boolean): Promise<void> {
    for (const node of this.ports.nodes) await node.vote(subject, add)
  }

  private askOthers(subject: string, add: boolean, validators: number): void {
    const { nodes, say } = this.ports
    if (this.node.selection === 'contract') {
      say(
        `Let the contract that selects the validators ${add ? 'list' : 'list no longer'} ${subject}; waiting until it does …`,
      )
      return
    }
    const needed = majorityOf(validators)
    const what = add ? `for ${subject}` : `against ${subject}`
    say(`voted ${what} on ${nodes.map(({ url }) => url).join(', ')}; ${needed} of ${validators} validators have to`)
    if (nodes.length < needed) {
      say('The operators of others send this, each to the own node:')
      say(`  curl 127.0.0.1:8545 -d '${this.node.voteRequest(subject, add)}'`)
    }
    say('waiting …')
  }

  /** Votes until an account is a validator, or is none; takes the votes back then, so that they do not count again. */
  private async decide(subject: string, add: boolean): Promise<void> {
    const { nodes, say, pause } = this.ports
    const isSo = async () => (await this.node.validators()).includes(subject) === add
    for (let looks = 0; !(await isSo()); looks++) {
      const byVotes = this.node.selection === 'votes'
      if (byVotes && looks % voteAgain === 0) await this.voteAll(subject, add)
      if (looks === 0) this.askOthers(subject, add, (await this.node.validators()).length)
      await pause()
    }
    if (this.node.selection === 'votes') for (const node of nodes) await node.discard(subject)
    say(`${subject} is ${add ? 'a validator' : 'no validator any more'}, seen at block ${await this.node.head()}`)
  }

  /** Votes the new key in and the old one out; the node has the old one meanwhile. */
  async replace(rotation: Rotation): Promise<void> {
    const { from, to } = rotation
    const validators = await this.node.validators()
    if (!validators.includes(to)) {
      if (!validators.includes(from))
        throw failed(`${from}, the key of the node at ${this.node.url}, is not a validator`)
      await checkCapacity(this.node, rotation)
    }
    // Once the old one is out, the new one is the validator, whether it makes blocks or not.
    await this.decide(to, true)
    await this.decide(from, false)
  }

  /** Waits until the node, which has the new key, makes blocks with it. */
  async confirm({ to }: Rotation): Promise<void> {
    const { say, pause } = this.ports
    const start = await this.node.head()
    const lastOf = async () => (await this.node.lastBlocks()).get(to) ?? 0
    say(`the node has ${to}; waiting until it makes a block …`)
    while ((await lastOf()) === 0 && (await this.node.head()) < start + 1000) await pause()
    const last = await lastOf()
    if (last === 0) throw failed(`${to} has not made a block since ${start}: see the log of the node`)
    say(`${to} has made block ${last}`)
  }
}

/** Brings the validators of a network from one key to another, as far as the node that has them allows: until it has to be restarted. */
export async function rotateValidator(rotation: Rotation, ports: RotatePorts): Promise<'switch' | 'done'> {
  const rotating = new Rotating(ports)
  if ((await ports.nodes[0].address()) === rotation.to) {
    await rotating.confirm(rotation)
    return 'done'
  }
  await rotating.replace(rotation)
  return 'switch'
}
