import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Where the commands of a page run: a folder, and a network namespace if the page has several machines. */
export interface Machine {
  readonly folder: string
  /** Program and arguments that run what follows them there. */
  readonly within: readonly string[]
}

function ip(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr.trim()}`)
}

const bridge = 'quoin-page'

/**
 * Another machine of a page, whose name is its address: a namespace with a card of its own on a bridge that this process
 * reaches too. It lives until this process ends, which is alone with it in a namespace of processes.
 */
function openMachine(address: string, count: number, folder: string): Machine {
  if (count === 0) {
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('addr', 'add', `${address.replace(/\d+$/, '254')}/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
  }
  const keeper: ChildProcess = spawn('unshare', ['-n', 'sleep', 'infinity'], { stdio: 'ignore' })
  const within = ['nsenter', '-t', String(keeper.pid), '-n']
  // The namespace is there a moment after the process.
  const isApart = () => readlinkSync(`/proc/${keeper.pid}/ns/net`) !== readlinkSync('/proc/self/ns/net')
  while (!isApart()) spawnSync('sleep', ['0.05'])
  ip('link', 'add', `quoin${count}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(keeper.pid))
  ip('link', 'set', `quoin${count}`, 'master', bridge, 'up')
  for (const args of [`addr add ${address}/24 dev eth0`, 'link set eth0 up', 'link set lo up'])
    spawnSync(within[0]!, [...within.slice(1), 'ip', ...args.split(' ')])
  return { folder, within }
}

/** The machines of a page by name; the one without a name is this one. Folders bear their names, for `scp`. */
export function createMachines(folder: string): (name: string) => Machine {
  const machines = new Map<string, Machine>()
  return (name) => {
    const known = machines.get(name)
    if (known) return known
    const own = join(folder, name || 'home')
    mkdirSync(own, { recursive: true })
    const others = [...machines.keys()].filter(Boolean).length
    const machine = name ? openMachine(name, others, own) : { folder: own, within: [] }
    machines.set(name, machine)
    return machine
  }
}
