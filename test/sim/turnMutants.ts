import { type Attendance, createAttendance } from '../../src/consensus/bft/attendance.ts'
import { createBftMachine } from '../../src/consensus/bft/bftMachine.ts'
import type { BftEvent } from '../../src/consensus/bft/machine.ts'
import { keyOf } from '../../src/primitives/bytes.ts'
import { withPace, withParts } from './bftMutants.ts'
import type { BftTrade } from './bftNode.ts'

/** Another memory of who takes turns. */
const withAttendance = (change: (attendance: Attendance) => Partial<Attendance>): BftTrade =>
  withParts(() => ({
    createAttendance(options) {
      const attendance = createAttendance(options)
      return { ...attendance, ...change(attendance) }
    },
  }))

/** Mistakes in whose turns are passed over, and when. */
export const turnTrades: Readonly<Record<string, BftTrade>> = {
  waitsForTheAbsent: withAttendance(() => ({ patience: () => undefined })),
  skipsOnOneWord: withPace(({ enter, noteRound }) => {
    const rounds = new Map<string, number>()
    let current = -1
    return {
      enter(round) {
        current = round
        return enter(round)
      },
      noteRound(author, round) {
        rounds.set(keyOf(author), Math.max(round, rounds.get(keyOf(author)) ?? 0))
        return noteRound(author, round)
      },
      roundToCatchUp: () => [...rounds.values()].sort((a, b) => b - a).find((round) => round > Math.max(current, 0)),
    }
  }),
  skipsTheLiving: withAttendance(({ made }) => ({ made: (who) => made(who, undefined), late: () => {} })),
  neverReturns: withAttendance(({ missed, patience }) => {
    const absent = new Set<string>()
    return {
      missed(who, since) {
        absent.add(keyOf(who))
        missed(who, since)
      },
      patience: (who, terms) => (absent.has(keyOf(who)) ? 0 : patience(who, terms)),
    }
  }),
  skipsTwice: {
    createMachine(parts) {
      const machine = createBftMachine(parts)
      return {
        ...machine,
        handle(event, now) {
          const effects = machine.handle(event, now)
          if (event.type !== 'timer' || event.timer.kind !== 'turn') return effects
          const next = { ...event.timer, round: event.timer.round + 1 }
          return [...effects, ...machine.handle({ type: 'timer', timer: next }, now)]
        },
      }
    },
  },
  invalidIsNoProof: {
    createMachine(parts) {
      const { protocol } = parts
      const machine = createBftMachine({ ...parts, protocol: { ...protocol, signsBlocks: false } })
      const isProposal = (event: BftEvent) => event.type === 'message' && event.code === protocol.codes.proposal
      return {
        ...machine,
        handle: (event, now) =>
          machine.handle(isProposal(event) ? ({ ...event, from: undefined } as BftEvent) : event, now),
      }
    },
  },
}
