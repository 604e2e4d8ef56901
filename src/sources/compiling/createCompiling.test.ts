import { expect, test } from 'vitest'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { withTempFolder } from '../../../test/support/tempStore.ts'
import { systemClock } from '../../system/clock.ts'
import { createCompilers } from './compilers.ts'
import { createCompiling } from './createCompiling.ts'

test('what the compiler says of a contract may not be as long as it likes', () =>
  withTempFolder(async (folder) => {
    const compilers = createCompilers(undefined)
    const limits = { time: 60_000, memory: 2048, answer: 5000 }
    const compiling = createCompiling({ compilers, limits, folder, clock: systemClock, log: createSilentLogs() })
    // Each struct has the one before twice: the ABI of a few lines has as many entries as one likes.
    const doubled = Array.from({ length: 6 }, (_, i) => `struct S${i + 1} { S${i} a; S${i} b; }`).join(' ')
    const compile = (parameter: string) =>
      compiling.compile({
        version: { numbers: '0.8.30', commit: '73712a01' },
        input: {
          language: 'Solidity',
          sources: {
            'C.sol': {
              content: `contract C { struct S0 { bool a; bool b; } ${doubled} event E(${parameter}); function f() external { } }`,
            },
          },
          settings: {},
        },
        target: { path: 'C.sol', name: 'C' },
        client: 'one',
      })
    try {
      expect((await compile('S0 s')).abi).toHaveLength(2)
      await expect(compile('S6 s')).rejects.toThrow(/has \d+ characters of JSON; 5000 are taken/)
    } finally {
      compiling.stop()
    }
  }))
