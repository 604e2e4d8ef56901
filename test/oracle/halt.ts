/** An exceptional halt: the frame loses its gas and its changes. Thrown by opcodes, caught by the machine. */
export class Halt extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'Halt'
  }
}
