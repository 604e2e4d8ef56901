import { since } from '../../../src/forks/rules.ts'
import { emptyBytes } from '../../../src/primitives/bytes.ts'
import { Halt } from '../halt.ts'
import { leave, type Machine } from '../machine.ts'
import { opcode } from '../opcode.ts'
import { addressIn } from '../words.ts'

/** Sends all wei to the heir and removes the account; since Cancun only one that this transaction made (EIP-6780). */
export const selfdestruct = opcode(0xff, 'SELFDESTRUCT', 1, 0, { tangerineWhistle: 5000n }, (frame, machine) => {
  if (frame.isStatic) throw new Halt('static violation')
  const { world, rules } = machine
  const { address } = frame
  const heir = addressIn(frame.pop())
  const balance = world.balance(address)

  if (since(rules, 'berlin') && !world.isWarm(heir)) {
    frame.charge(2600n)
    world.warmAddress(heir)
  }
  if (bringsIntoBeing(machine, heir, balance)) frame.charge(25_000n)
  if (!since(rules, 'london') && !world.isDestroyed(address)) world.addRefund(24_000n)

  world.subBalance(address, balance)
  world.addBalance(heir, balance)
  if (!since(rules, 'cancun') || world.wasCreated(address)) {
    world.destroy(address)
    // What an account leaves to itself is lost.
    world.subBalance(address, world.balance(address))
  }
  leave(machine, { status: 'success', gasLeft: frame.gas, output: emptyBytes })
})

function bringsIntoBeing({ world, rules }: Machine, heir: bigint, balance: bigint): boolean {
  if (since(rules, 'spuriousDragon')) return balance > 0n && world.isEmpty(heir)
  return since(rules, 'tangerineWhistle') && !world.exists(heir)
}
