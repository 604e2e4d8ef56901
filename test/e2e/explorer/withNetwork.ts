import { join } from 'node:path'
import { createNodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { eventually, heightOf } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import type { ToolChain } from '../../interop/toolChain.ts'
import { freePort } from '../../support/freePort.ts'

/** A network that `quoin network` runs; calls go to its first node. */
export interface NetworkChain extends ToolChain {
  /** Of its explorer. */
  readonly explorer: string
  /** Of JSON-RPC of the first node; those of others are 10, 20 … higher. */
  readonly port: number
  readonly dir: string
  /** Its process. */
  readonly pid: number
}

/** Does something with `quoin network` once it makes blocks. */
export async function withNetwork(
  folder: string,
  name: string,
  options: readonly string[],
  action: (chain: NetworkChain) => Promise<void>,
): Promise<void> {
  const port = await freePort()
  const dir = join(folder, name)
  const node = createNodeProcess({
    name,
    httpPort: port,
    logFile: join(folder, `${name}.log`),
    command: process.execPath,
    args: [quoinProgram, 'network', `--base-port=${port}`, `--dir=${dir}`, ...options],
  })
  await stopAll([node], async () => {
    node.start()
    await eventually('the network makes blocks', async () => (await heightOf(node)) > 5)
    const url = `http://127.0.0.1:${port}`
    await action({
      name,
      url,
      wsUrl: '',
      call: node.call,
      explorer: `http://127.0.0.1:${port + 3}`,
      port,
      dir,
      pid: node.pid()!,
    })
  })
}
