import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { fillChecksum } from './ipChecksum.ts'

/** How frames fare on their way from one place to another. */
export interface Weather {
  /** Milliseconds, and by how many more or less they vary. */
  readonly delay: number
  readonly jitter: number
  /** Shares of the frames, from 0 to 1: those that get lost, and those that overtake all others. */
  readonly loss: number
  readonly reorder: number
}

/** UDP port of VXLAN. */
export const vxlanPort = 4789
const vxlanHeader = 8

export interface SwitchboardOptions {
  /** Where it listens. */
  readonly address: string
  /** The places that it connects, by their number. */
  readonly places: readonly string[]
  readonly weather: Weather
  /** From 0 to 1, 1 not included. */
  random(): number
}

/** The wires between places: every frame goes through here, and may be late, lost, or held back by a partition. */
export interface Switchboard {
  /** Frames go only between places of one group; without groups they go everywhere. */
  partition(...groups: readonly (readonly number[])[]): void
  /** Frames so far: handed over, lost, and stopped by a partition. */
  counts(): { readonly delivered: number; readonly lost: number; readonly stopped: number }
  close(): Promise<void>
}

/** Address of the network card at a place; the last byte tells which. */
export const macOf = (place: number): string => `02:00:00:00:00:${(place + 1).toString(16).padStart(2, '0')}`

/** Frames come from the kernel in VXLAN packets, one each, and go on in the same. */
export async function openSwitchboard(options: SwitchboardOptions): Promise<Switchboard> {
  const { address, places, weather, random } = options
  const socket = createSocket('udp4')
  const timers = new Set<NodeJS.Timeout>()
  let groups: readonly (readonly number[])[] = []
  let [delivered, lost, stopped] = [0, 0, 0]

  const isOpen = (from: number, to: number) =>
    groups.length === 0 || groups.some((group) => group.includes(from) && group.includes(to))

  function deliver(packet: Uint8Array, from: number, to: number): void {
    if (!isOpen(from, to)) {
      stopped++
      return
    }
    delivered++
    socket.send(packet, vxlanPort, places[to]!)
  }

  function forward(packet: Uint8Array, from: number, to: number): void {
    if (random() < weather.loss) {
      lost++
      return
    }
    const overtakes = random() < weather.reorder
    const late = overtakes ? 0 : Math.max(0, weather.delay + (2 * random() - 1) * weather.jitter)
    const timer = setTimeout(() => {
      timers.delete(timer)
      deliver(packet, from, to)
    }, late)
    timers.add(timer)
  }

  socket.on('message', (packet, { address: sender }) => {
    const from = places.indexOf(sender)
    if (from < 0 || packet.length < vxlanHeader + 14) return
    const frame = packet.subarray(vxlanHeader)
    fillChecksum(frame)
    const isBroadcast = (frame[0]! & 1) === 1
    const to = frame[5]! - 1
    if (isBroadcast) for (const other of places.keys()) other !== from && forward(packet, from, other)
    else if (to in places) forward(packet, from, to)
  })
  socket.bind(vxlanPort, address)
  await once(socket, 'listening')

  return {
    partition(...parts) {
      groups = parts
    },
    counts: () => ({ delivered, lost, stopped }),
    async close() {
      for (const timer of timers) clearTimeout(timer)
      socket.removeAllListeners('message')
      await new Promise<void>((resolve) => socket.close(resolve))
    },
  }
}
