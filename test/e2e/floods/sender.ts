// Floods nodes: NAME MILLISECONDS TARGETS (JSON). Prepares what it sends, prints "ready", waits for a byte on standard input, and
// prints a tally when it is done. It is as nice as can be: the nodes under attack share the processors with it.
import { setPriority } from 'node:os'
import { type AttackName, attacks, type Tally, type Targets, warmUp } from './attacks.ts'

const [name, duration, targets] = process.argv.slice(2) as [AttackName | 'warmUp', string, string]
setPriority(19)
const { attack } = name === 'warmUp' ? warmUp : attacks[name]
const flood = attack(JSON.parse(targets) as Targets)
const tally: Tally = { sent: 0, answered: 0, refused: 0 }
process.stdin.once('data', async () => {
  const from = performance.now()
  await flood(Number(duration), tally)
  process.stdout.write(JSON.stringify({ ...tally, seconds: (performance.now() - from) / 1000 }))
  process.exit()
})
process.stdout.write('ready')
