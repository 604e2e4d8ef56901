import { readFileSync } from 'node:fs'
import { serveChain } from '../../test/conformance/rpc/servedChain.ts'

// Serves a chain from files until its standard input ends; tells the address in one line.
const [genesis, blocks] = process.argv.slice(2)
const served = await serveChain({
  genesis: JSON.parse(readFileSync(genesis!, 'utf8')),
  blocks: readFileSync(blocks!),
})
process.stdout.write(`${served.url}\n`)
process.stdin.on('end', () => void served.close()).resume()
