// json_node.js FILE ROUNDS: nanoseconds of parsing and of writing, a line each
const data = require("fs").readFileSync(process.argv[2], "utf8")
for (let round = 0; round < Number(process.argv[3]); round++) {
  const start = process.hrtime.bigint()
  const value = JSON.parse(data)
  const parsed = process.hrtime.bigint()
  JSON.stringify(value)
  console.log(`${parsed - start} ${process.hrtime.bigint() - parsed}`)
}
