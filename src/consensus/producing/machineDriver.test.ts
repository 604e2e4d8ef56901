import { expect, test } from 'vitest'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import type { Chain } from '../../chain/chain.ts'
import { zeroAddress, zeroHash } from '../../primitives/bytes.ts'

import { blankHeader } from '../../types/header.ts'
import { createMachineDriver, type MachineEvent } from './machineDriver.ts'

test('outside its heights a machine hears nothing, and writes nothing', () => {
  const events: string[] = []
  const written: Uint8Array[] = []
  let number = 2n
  let isFull = true
  const driver = createMachineDriver<{ kind: string }, { type: 'word' }>({
    chain: {
      head: () => ({ header: { ...blankHeader, number }, hash: zeroHash }),
      onHead: () => () => {},
    } as unknown as Chain,
    consensus: { hash: () => zeroHash },
    clock: { now: () => 0, after: () => () => {} },
    network: {
      send() {},
      broadcastBlock() {},
      probe() {},
      blame() {},
      isCatchingUp: () => false,
    },
    log: createSilentLogs(),
    record: {
      read: () => undefined,
      write(bytes) {
        if (isFull) throw new Error('disk full')
        written.push(bytes)
      },
    },
    heights: { from: 1n, to: 4n },
    createMachine: () => ({
      handle({ type }: MachineEvent<{ kind: string }>) {
        events.push(type)
        return type === 'head' ? [{ type: 'persist', record: Uint8Array.of(1) }] : [{ type: 'word' }]
      },
    }),
    perform() {},
  })
  driver.start()
  number = 3n
  isFull = false
  driver.onLink(zeroAddress)
  driver.receive(0, new Uint8Array(0), zeroAddress)
  expect([events, written]).toEqual([['head'], []])
})
