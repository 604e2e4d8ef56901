import { GenesisError } from './fault.ts'
import { type GenesisObject, integerMember, numberMember, objectMember } from './jsonObject.ts'
import type { BlobRules } from './rules.ts'
import { type ForkName, forkIndex, forks } from './table.ts'

/** When a fork starts: at a block or at a time. */
export interface Activation {
  readonly fork: ForkName
  readonly by: 'block' | 'time'
  readonly at: bigint
}

/** Other spellings of a fork's key that exist in genesis files. */
const aliases: Partial<Record<ForkName, readonly string[]>> = {
  petersburg: ['constantinopleFixBlock'],
}

function activationOf(config: GenesisObject, fork: (typeof forks)[number]): Activation | undefined {
  const by = fork.key.endsWith('Time') ? 'time' : 'block'
  for (const key of [fork.key, ...(aliases[fork.name] ?? [])]) {
    const at = numberMember(config, key, 64)
    // A DAO fork at or before genesis never happened on that chain.
    if (at !== undefined && !(fork.name === 'dao' && at === 0n)) return { fork: fork.name, by, at }
  }
  return undefined
}

/** Returns the forks of a genesis file, in the order of activation. */
export function activationsOf(config: GenesisObject): readonly Activation[] {
  const found: Activation[] = [{ fork: 'frontier', by: 'block', at: 0n }]
  for (const fork of forks.slice(1)) {
    const activation = activationOf(config, fork)
    if (activation) found.push(activation)
  }
  checkOrder(found)
  return found
}

function checkOrder(found: readonly Activation[]): void {
  for (let i = 1; i < found.length; i++) {
    const [earlier, later] = [found[i - 1]!, found[i]!]
    if (earlier.by === later.by && later.at < earlier.at && earlier.fork !== 'dao' && later.fork !== 'dao')
      throw new GenesisError({
        code: 'GENESIS_FORK_ORDER',
        earlier: forks[forkIndex(earlier.fork)]!.key,
        later: forks[forkIndex(later.fork)]!.key,
      })
  }
}

/** A change of the blob schedule, by a fork or between forks (EIP-7892). */
export interface BlobChange {
  readonly name: string
  readonly time: bigint
  /** Undefined: those of the fork. */
  readonly blobs: BlobRules | undefined
}

/** A block's blob gas is a number of 64 bits; no network has had a hundred blobs in a block. */
const maxBlobs = 65_535

/** Returns the blob schedules of a genesis file, by the name of the fork or of the blob-parameter-only change. */
export function blobSchedulesOf(config: GenesisObject): ReadonlyMap<string, BlobRules> {
  const schedules = new Map<string, BlobRules>()
  const schedule = objectMember(config, 'blobSchedule')
  if (!schedule) return schedules
  for (const name of schedule.keys()) {
    const entry = objectMember(schedule, name)!
    const fraction = numberMember(entry, 'baseFeeUpdateFraction')
    if (fraction === undefined || fraction === 0n)
      throw new GenesisError({ code: 'GENESIS_MISSING', key: `blobSchedule.${name}.baseFeeUpdateFraction` })
    const max = integerMember(entry, 'max', 0, 0, maxBlobs)
    schedules.set(name, {
      target: integerMember(entry, 'target', 0, 0, max),
      max,
      updateFraction: fraction,
    })
  }
  return schedules
}

/** Blob-parameter-only changes that a genesis file may name. */
const blobChangeNames = ['bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5']

/** Returns the blob-parameter-only changes bpo1Time, bpo2Time …, in the order of time. As in Besu, one without a schedule changes nothing. */
export function blobChangesOf(config: GenesisObject): readonly BlobChange[] {
  const schedules = blobSchedulesOf(config)
  const changes: BlobChange[] = []
  for (const name of blobChangeNames) {
    const time = numberMember(config, `${name}Time`, 64)
    if (time !== undefined) changes.push({ name, time, blobs: schedules.get(name) ?? changes.at(-1)?.blobs })
  }
  return changes
}
