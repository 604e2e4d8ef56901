const { expect } = require('chai')
const { ethers } = require('hardhat')

describe('Counter', () => {
  let counter
  before(async () => {
    counter = await ethers.deployContract('Counter')
    await counter.waitForDeployment()
  })

  it('keeps a number and emits an event', async () => {
    const [sender] = await ethers.getSigners()
    await expect(counter.set(5)).to.emit(counter, 'Changed').withArgs(sender.address, 5)
    expect(await counter.value()).to.equal(5)
  })

  it('says why it refuses one', async () => {
    await expect(counter.set(2000)).to.be.revertedWith('too large')
  })

  it('takes it from another account', async () => {
    const [, other] = await ethers.getSigners()
    await (await counter.connect(other).set(7)).wait()
    expect(await counter.value()).to.equal(7)
  })
})
