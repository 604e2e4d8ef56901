import { readFileSync } from 'node:fs'

/** Lines of level error, and what the runtime says of a defect. */
const fault = /"level":"error"|unhandled|uncaught|FATAL ERROR|\b(?:Type|Range|Reference|Syntax|Assertion)Error\b/i

/** Lines of a node's log that tell of a defect in it. */
export function faultsInLog(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => fault.test(line))
}
