import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests beside their sources leave nothing behind in their process, so that the next file finds all modules loaded. */
const beside = {
  name: 'beside',
  include: ['src/**/*.test.ts', 'explorer/**/*.test.ts', 'bench/**/*.test.ts'],
  isolate: false,
}
/** These start nodes, listen to signals and look at memory: each file has a process of its own. */
const across = { name: 'across', include: ['test/**/*.test.ts'], isolate: true }

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: beside },
      { extends: true, test: across },
    ],
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
