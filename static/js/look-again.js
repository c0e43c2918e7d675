// Load the page of a running job again every two seconds; without this script a link does.
"use strict";

setTimeout(() => location.reload(), 2000);
