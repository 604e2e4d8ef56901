import { setTimeout as delay } from 'node:timers/promises'
import type { LimpNode } from './limpNetwork.ts'

/** What can be wrong with a validator: `begin` makes it so, and gives what makes it well again. */
export interface Ailment {
  readonly name: string
  begin(node: LimpNode): () => Promise<void>
}

const slowBy = 500
const minute = 60_000
/** Milliseconds for which a validator is there, and not there. */
const flaps = [9000, 6000] as const
const stutter = [3000, 3000] as const
const linkFlaps = [2500, 1500] as const

function onLinks(name: string, change: (one: LimpNode['links'][number]) => void): Ailment {
  return {
    name,
    begin({ links }) {
      for (const one of links) change(one)
      return async () => {
        for (const { link } of links) link.mend()
      }
    },
  }
}

function withClock(name: string, offset: number): Ailment {
  return {
    name,
    begin(node) {
      node.setClock(offset)
      return async () => node.setClock(0)
    },
  }
}

function withFlaw(flaw: 'state root' | 'future'): Ailment {
  return {
    name: `proposes invalid blocks: ${flaw}`,
    begin(node) {
      node.setFlaw(flaw)
      return async () => node.setFlaw('')
    },
  }
}

function signal({ process: { pid } }: LimpNode, name: 'SIGSTOP' | 'SIGCONT'): void {
  const id = pid()
  if (id !== undefined) process.kill(id, name)
}

/** Goes away and comes back, again and again. */
function comesAndGoes(
  name: string,
  [there, away]: readonly [number, number],
  go: (node: LimpNode) => unknown,
  come: (node: LimpNode) => unknown,
): Ailment {
  return {
    name,
    begin(node) {
      const end = new AbortController()
      const wait = (time: number) => delay(time, undefined, { signal: end.signal }).catch(() => {})
      const whole = (async () => {
        while (!end.signal.aborted) {
          await go(node)
          await wait(away)
          await come(node)
          await wait(there)
        }
      })()
      return () => {
        end.abort()
        return whole
      }
    },
  }
}

export const ailments: readonly Ailment[] = [
  {
    name: 'killed',
    begin(node) {
      const killed = node.process.kill()
      return async () => {
        await killed
        node.process.start()
      }
    },
  },
  {
    name: 'hung (SIGSTOP)',
    begin(node) {
      signal(node, 'SIGSTOP')
      return async () => signal(node, 'SIGCONT')
    },
  },
  onLinks('cut off by a firewall', ({ link }) => void link.held.add('forth').add('back')),
  onLinks('slow (500 ms)', ({ link }) => {
    link.delay = slowBy
  }),
  onLinks('mute', ({ link, out }) => void link.held.add(out)),
  onLinks('deaf', ({ link, out }) => void link.held.add(out === 'forth' ? 'back' : 'forth')),
  comesAndGoes(
    'killed and started again',
    flaps,
    ({ process }) => process.kill(),
    ({ process }) => process.start(),
  ),
  comesAndGoes(
    'hung for 3 s of 6',
    stutter,
    (node) => signal(node, 'SIGSTOP'),
    (node) => signal(node, 'SIGCONT'),
  ),
  comesAndGoes(
    'connections closed for 1.5 s of 4',
    linkFlaps,
    ({ links }) => {
      for (const { link } of links) link.cut()
    },
    ({ links }) => {
      for (const { link } of links) link.mend()
    },
  ),
  withClock('clock 5 s fast', 5000),
  withClock('clock 5 s slow', -5000),
  withClock('clock 60 s fast', minute),
  withClock('clock 60 s slow', -minute),
  withFlaw('state root'),
  withFlaw('future'),
]
