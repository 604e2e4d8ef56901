const { ethers } = require('hardhat')

async function main() {
  const counter = await ethers.deployContract('Counter')
  await counter.waitForDeployment()
  console.log(`deployed at ${await counter.getAddress()}`)
  await (await counter.set(5)).wait()
  console.log(`number is ${await counter.value()}`)
}

main().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
