// Runs one page in a process of its own, which its caller puts into a network of its own: `main.js PAGE FOLDER MODULES`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import type { Checks } from '../../interop/checks.ts'
import type { StepReport } from './runApart.ts'
import { runPage } from './runPage.ts'

const [page, folder, modules] = process.argv.slice(2)
const report = (message: StepReport) => new Promise((resolve) => process.send!(message, resolve))

// Everything that the page has started ends with this process, the first of its namespace.
process.on('disconnect', () => process.exit(1))
const steps: Pick<Checks, 'step'> = {
  async step(name, action) {
    try {
      const result = await action()
      await report({ name })
      return result
    } catch (error) {
      await report({ name, failure: (error as Error).message })
      return undefined
    }
  },
}
await runPage(readFileSync(join(packageRoot, page!), 'utf8'), folder!, steps, modules)
process.exit()
