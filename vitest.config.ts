import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'explorer/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: ['**/assembly/**', 'dist/**', 'node_modules/**'],
    pool: 'forks',
    // Vitest itself leaves one core to the machine, which on two cores takes nearly twice as long.
    maxWorkers: availableParallelism(),
    // Far beyond what anything takes on an idle machine: only what hangs is to fail, also where twenty others compute.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
