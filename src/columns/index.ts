export { Column, type ColumnFamily, type ColumnName, columnFamilies } from "./columns.js";
