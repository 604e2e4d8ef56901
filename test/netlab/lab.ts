import { spawnSync } from 'node:child_process'
import { macOf, openSwitchboard, type Switchboard, vxlanPort, type Weather } from './switchboard.ts'

/** A network namespace with a network card of its own. */
export interface Place {
  /** Program and arguments that run what follows them in there. */
  readonly within: readonly string[]
  /** Where the test reaches it, whatever the weather. */
  readonly control: string
  /** Where the other places reach it. */
  readonly address: string
}

/** Places that are connected by a switchboard. */
export interface Lab {
  readonly places: readonly Place[]
  readonly switchboard: Switchboard
  /** Removes all that was made. */
  close(): Promise<void>
}

export interface LabOptions {
  readonly places: number
  readonly weather: Weather
  random(): number
}

/** Why there is none. */
export class NoLab extends Error {}

const controlNet = '10.77.0'
const labNet = '10.78.0'
const firstHost = 10

function ip(...args: readonly string[]): void {
  const { status, error, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new NoLab(`ip ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
}

/**
 * Namespaces on a bridge, which serves the test alone. What they have to say to each other goes through VXLAN tunnels to
 * the switchboard in this process: real TCP and UDP of the kernel, in any weather, also where the kernel cannot make it.
 */
export async function openLab({ places: count, weather, random }: LabOptions): Promise<Lab> {
  const mark = `ql${process.pid}`
  const undo: (() => unknown)[] = []
  const make = (args: string, undoArgs?: string) => {
    ip(...args.split(' '))
    if (undoArgs !== undefined) undo.unshift(() => ip(...undoArgs.split(' ')))
  }
  const close = async () => {
    for (const step of undo.splice(0)) await step()
  }
  try {
    make(`link add ${mark} type bridge`, `link del ${mark}`)
    make(`addr add ${controlNet}.1/24 dev ${mark}`)
    make(`link set ${mark} up`)
    const places = Array.from({ length: count }, (_, i): Place => {
      const name = `${mark}-${i}`
      const [control, address] = [`${controlNet}.${firstHost + i}`, `${labNet}.${firstHost + i}`]
      make(`netns add ${name}`, `netns del ${name}`)
      make(`link add ${mark}.${i} type veth peer name wire netns ${name}`, `link del ${mark}.${i}`)
      make(`link set ${mark}.${i} master ${mark} up`)
      make(`-n ${name} addr add ${control}/24 dev wire`)
      make(`-n ${name} link set wire up`)
      make(`-n ${name} link set lo up`)
      const tunnel = `type vxlan id 7 dev wire local ${control} remote ${controlNet}.1 dstport ${vxlanPort}`
      make(`-n ${name} link add lab address ${macOf(i)} ${tunnel}`)
      make(`-n ${name} addr add ${address}/24 dev lab`)
      // One frame a packet: the switchboard is no network card that could cut larger ones.
      make(`-n ${name} link set lab gso_max_segs 1 up`)
      return { within: ['ip', 'netns', 'exec', name], control, address }
    })
    const switchboard = await openSwitchboard({
      address: `${controlNet}.1`,
      places: places.map(({ control }) => control),
      weather,
      random,
    })
    undo.unshift(switchboard.close)
    return { places, switchboard, close }
  } catch (error) {
    await close()
    throw error
  }
}
